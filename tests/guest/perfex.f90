! SPDX-License-Identifier: GPL-2.0-or-later
! libperfex in Fortran: stores of a loop.
program count
  implicit none
  integer(4) :: start_counters, read_counters, print_counters, load_costs
  integer(4) :: g, i
  integer(8) :: c0, c1
  integer(4), volatile :: stored
  if (load_costs("costs.txt  ") /= 0) stop 1
  g = start_counters(15, 19)
  if (g <= 0) stop 2
  do i = 1, 100000
    stored = i
  end do
  if (read_counters(15, c0, 19, c1) /= g) stop 3
  if (c1 < 100000 .or. c1 > 101000 .or. c0 <= c1) stop 4
  if (print_counters(15, 7_8, 19, 8_8) /= 0) stop 5
end program count
