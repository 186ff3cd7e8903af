# SPDX-License-Identifier: GPL-2.0-or-later
unit_programs = \
	tests/unit/test_alpha_text \
	tests/unit/test_block \
	tests/unit/test_calls \
	tests/unit/test_coherence \
	tests/unit/test_counters \
	tests/unit/test_decode_alpha \
	tests/unit/test_decode_mips \
	tests/unit/test_decode_x86 \
	tests/unit/test_decode_x86_fuse \
	tests/unit/test_decode_x86_timing \
	tests/unit/test_direction \
	tests/unit/test_executed \
	tests/unit/test_host \
	tests/unit/test_hwperf \
	tests/unit/test_ia64 \
	tests/unit/test_interval \
	tests/unit/test_irix \
	tests/unit/test_issue_bundles \
	tests/unit/test_issue_pairs \
	tests/unit/test_issue_slots \
	tests/unit/test_kernel \
	tests/unit/test_lexicon \
	tests/unit/test_library \
	tests/unit/test_machine \
	tests/unit/test_machine_hostile \
	tests/unit/test_machine_process \
	tests/unit/test_machine_sum \
	tests/unit/test_mark \
	tests/unit/test_memory \
	tests/unit/test_merge \
	tests/unit/test_merge_oracle \
	tests/unit/test_merge_wake \
	tests/unit/test_metrics \
	tests/unit/test_oracle_branch \
	tests/unit/test_oracle_data \
	tests/unit/test_oracle_fetch \
	tests/unit/test_outer \
	tests/unit/test_output \
	tests/unit/test_own_tlb \
	tests/unit/test_pages \
	tests/unit/test_patience \
	tests/unit/test_pctr \
	tests/unit/test_pending \
	tests/unit/test_period \
	tests/unit/test_plan \
	tests/unit/test_pmu \
	tests/unit/test_predict \
	tests/unit/test_prefetch \
	tests/unit/test_premade \
	tests/unit/test_procperf \
	tests/unit/test_profile \
	tests/unit/test_sample \
	tests/unit/test_schedule \
	tests/unit/test_system \
	tests/unit/test_system_result \
	tests/unit/test_table \
	tests/unit/test_table_all \
	tests/unit/test_table_bad \
	tests/unit/test_table_load \
	tests/unit/test_targets \
	tests/unit/test_tick \
	tests/unit/test_tlb \
	tests/unit/test_umon \
	tests/unit/test_unordered \
	tests/unit/test_walk \
	tests/unit/test_window \
	tests/unit/test_window_oracle \
	tests/unit/test_writebuf \
	tests/unit/test_written

unit_headers = \
	tests/unit/block_text.h \
	tests/unit/core_fixture.h \
	tests/unit/cpu_fixture.h \
	tests/unit/enter_block.h \
	tests/unit/fake_qemu.h \
	tests/unit/forward_naive.h \
	tests/unit/interval_naive.h \
	tests/unit/issue_fixture.h \
	tests/unit/machine_fixture.h \
	tests/unit/make_access.h \
	tests/unit/merge_fixture.h \
	tests/unit/mips_alpha_text.h \
	tests/unit/oracle.h \
	tests/unit/oracle_rig.h \
	tests/unit/outer_oracle.h \
	tests/unit/predict_naive.h \
	tests/unit/prefetch_naive.h \
	tests/unit/scoreboard.h \
	tests/unit/signal_fixture.h \
	tests/unit/window_fixture.h \
	tests/unit/window_oracle.h

unit_oracles = \
	tests/unit/test_decode_mips_oracle \
	tests/unit/test_decode_x86_oracle
