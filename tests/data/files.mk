# SPDX-License-Identifier: GPL-2.0-or-later
test_data = \
	tests/data/speedscope.json \
	tests/data/tables/alias.yaml \
	tests/data/tables/bomb.yaml \
	tests/data/tables/bytes.yaml \
	tests/data/tables/comment.yaml \
	tests/data/tables/deep.yaml \
	tests/data/tables/documents.yaml \
	tests/data/tables/empty.yaml \
	tests/data/tables/irix.yaml \
	tests/data/tables/key.yaml \
	tests/data/tables/keys.yaml \
	tests/data/tables/list.yaml \
	tests/data/tables/merge.yaml \
	tests/data/tables/null.yaml \
	tests/data/tables/os/board.yaml \
	tests/data/tables/small.yaml \
	tests/data/tables/tab.yaml \
	tests/data/tables/tag.yaml \
	tests/data/tables/unclosed.yaml
