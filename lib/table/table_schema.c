/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of the tables, as libcyaml takes it.  Words are strict and
 * unknown keys are errors; ranges and relations are checked later, by
 * table_check*.c.  Numbers have the range of the field that they go into.
 */
#include "table_schema_internal.h"
#include "table_classes.h"

#include "code/insn.h"

/* ---- Words ----------------------------------------------------------- */

static const cyaml_strval_t systems[] = {
	{"procperf", SYSTEM_PROCPERF}, {"irix", SYSTEM_IRIX},
	{"openbsd", SYSTEM_OPENBSD},   {"tru64", SYSTEM_TRU64},
	{"ia64", SYSTEM_IA64},	       {"none", SYSTEM_NONE},
};

static const cyaml_strval_t policies[] = {
	{"lru", POLICY_LRU},
	{"random", POLICY_RANDOM},
	{"fifo", POLICY_FIFO},
	{"round-robin", POLICY_ROUND_ROBIN},
};

static const cyaml_strval_t tlb_policies[] = {
	{"lru", POLICY_LRU},
	{"random", POLICY_RANDOM},
	{"fifo", POLICY_FIFO},
	{"round-robin", POLICY_ROUND_ROBIN},
	{"not-last-used", POLICY_NOT_LAST_USED},
};

static const cyaml_strval_t tlb_owners[] = {
	{"all", TLB_OF_ALL},
	{"vpe", TLB_OF_VPE},
	{"context", TLB_OF_CONTEXT},
};

static const cyaml_strval_t predictors[] = {
	{"bimodal", PREDICT_BIMODAL},
	{"gshare", PREDICT_GSHARE},
	{"not-taken", PREDICT_NOT_TAKEN},
	{"btb", PREDICT_BTB},
	{"icache", PREDICT_ICACHE},
	{"tournament", PREDICT_TOURNAMENT},
	{"tage", PREDICT_TAGE},
};

static const cyaml_strval_t units[] = {
	{"none", UNIT_NONE}, {"mdu", UNIT_MDU}, {"fpu", UNIT_FPU}};

static const cyaml_strval_t pipelines[] = {{"inorder", PIPELINE_INORDER},
					   {"window", PIPELINE_WINDOW},
					   {"interval", PIPELINE_INTERVAL}};

static const cyaml_strval_t ports[] = {
	{"p0", 1 << 0}, {"p1", 1 << 1}, {"p2", 1 << 2}, {"p3", 1 << 3},
	{"p4", 1 << 4}, {"p5", 1 << 5}, {"p6", 1 << 6}, {"p7", 1 << 7},
	{"p8", 1 << 8}, {"p9", 1 << 9}, {"p10", 1 << 10}, {"p11", 1 << 11},
	{"p12", 1 << 12}, {"p13", 1 << 13}, {"p14", 1 << 14}, {"p15", 1 << 15},
};

static const cyaml_strval_t holds[] = {
	{"int", HOLD_INT},   {"fp", HOLD_FP},	  {"load", HOLD_LOAD},
	{"store", HOLD_STORE}, {"data", HOLD_DATA}, {"branch", HOLD_BRANCH},
	{"nop", HOLD_NOP},   {"all", HOLD_ALL},
};

static const cyaml_strval_t fuses[] = {
	{"compare", FUSE_COMPARE}, {"sum", FUSE_SUM},
	{"step", FUSE_STEP},	   {"logic", FUSE_LOGIC},
};

static const cyaml_strval_t micro_ops[] = {
	{"p6", MICRO_OPS_P6}, {"classes", MICRO_OPS_CLASSES}};

static const cyaml_strval_t joins[] = {
	{"load", JOIN_LOAD}, {"store", JOIN_STORE}, {"update", JOIN_UPDATE}};

static const cyaml_strval_t untils[] = {
	{"issue", UNTIL_ISSUE}, {"done", UNTIL_DONE}, {"retire", UNTIL_RETIRE}};

static const cyaml_strval_t disambiguations[] = {
	{"pass", DISAMBIGUATION_PASS}, {"wait", DISAMBIGUATION_WAIT}};

static const cyaml_strval_t rules[] = {
	{"single", ISSUE_SINGLE},
	{"pairs", ISSUE_PAIRS},
	{"slots", ISSUE_SLOTS},
	{"bundles", ISSUE_BUNDLES},
};

/* ---- Machine --------------------------------------------------------- */

#define CACHE_FIELDS                                                        \
	NUMBER(cache_config, size), NUMBER(cache_config, ways),             \
	NUMBER(cache_config, line),                                         \
	WORD("policy", MUST, cache_config, policy, policies),               \
	WORD("write_through", MAY, cache_config, write_through, booleans),  \
	WORD("no_write_allocate", MAY, cache_config, no_write_allocate,     \
	     booleans)

static const cyaml_schema_field_t cache_fields[] = {CACHE_FIELDS, END};

static const cyaml_schema_field_t outer_fields[] = {
	CACHE_FIELDS,
	NUMBER(cache_config, latency),
	OPTIONAL_NUMBER(cache_config, repeat),
	WORD("inclusive", MAY, cache_config, inclusive, booleans),
	WORD("victim", MAY, cache_config, victim, booleans),
	WORD("data_only", MAY, cache_config, data_only, booleans),
	WORD("told_of_stores", MAY, cache_config, told_of_stores, booleans),
	OPTIONAL_NUMBER(cache_config, way_entries),
	OPTIONAL_NUMBER(cache_config, way_penalty),
	END,
};

static const cyaml_schema_field_t caches_fields[] = {
	PART("l1i", sim_config, l1i, cache_fields),
	PART("l1d", sim_config, l1d, cache_fields),
	CYAML_FIELD_MAPPING("l2", MAY, struct sim_config, l2, outer_fields),
	CYAML_FIELD_MAPPING("l3", MAY, struct sim_config, l3, outer_fields),
	END,
};

static const cyaml_strval_t prefetches[] = {
	{"next-line", PREFETCH_NEXT},
	{"stride", PREFETCH_STRIDE},
	{"stream", PREFETCH_STREAM},
};

static const cyaml_strval_t prefetch_fills[] = {{"l1d", PREFETCH_FILLS_L1D},
						{"l2", PREFETCH_FILLS_L2}};

static const cyaml_schema_field_t prefetcher_fields[] = {
	WORD("kind", MUST, prefetch_config, kind, prefetches),
	WORD("fills", MUST, prefetch_config, fills, prefetch_fills),
	NUMBER(prefetch_config, degree),
	NUMBER(prefetch_config, buffers),
	OPTIONAL_NUMBER(prefetch_config, entries),
	OPTIONAL_NUMBER(prefetch_config, confidence),
	OPTIONAL_NUMBER(prefetch_config, distance),
	OPTIONAL_NUMBER(prefetch_config, reach),
	END,
};

static const cyaml_schema_value_t prefetcher_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct prefetch_config,
			    prefetcher_fields)};

#define TLB_FIELDS                                                          \
	NUMBER(tlb_config, entries), NUMBER(tlb_config, ways),              \
	NUMBER(tlb_config, page_bits),                                      \
	WORD("policy", MUST, tlb_config, policy, tlb_policies)

static const cyaml_schema_field_t itlb_fields[] = {
	TLB_FIELDS,
	WORD("owner", MAY, tlb_config, owner, tlb_owners),
	END,
};

static const cyaml_schema_field_t dtlb_fields[] = {
	TLB_FIELDS,
	WORD("owner", MAY, tlb_config, owner, tlb_owners),
	WORD("maps_tables", MAY, tlb_config, maps_tables, booleans),
	END,
};

static const cyaml_schema_field_t jtlb_fields[] = {
	TLB_FIELDS,
	WORD("inclusive", MAY, tlb_config, inclusive, booleans),
	END,
};

static const cyaml_schema_field_t walk_fields[] = {
	NUMBER(walk_config, levels),
	NUMBER(walk_config, kept),
	OPTIONAL_NUMBER(walk_config, walkers),
	END,
};

static const cyaml_schema_field_t tlbs_fields[] = {
	PART("itlb", sim_config, itlb, itlb_fields),
	PART("dtlb", sim_config, dtlb, dtlb_fields),
	PART("jtlb", sim_config, jtlb, jtlb_fields),
	CYAML_FIELD_MAPPING("jtlb_data", MAY, struct sim_config, jtlb_data,
			    jtlb_fields),
	CYAML_FIELD_MAPPING("walk", MAY, struct sim_config, walk, walk_fields),
	OPTIONAL_NUMBER(sim_config, os_page_bits),
	END,
};

static const cyaml_schema_value_t history_entry = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, u16)};

static const cyaml_schema_field_t tage_fields[] = {
	NUMBER(tage_config, entries),
	NUMBER(tage_config, tag_bits),
	NUMBER(tage_config, counter_bits),
	NUMBER(tage_config, useful_bits),
	NUMBER(tage_config, age),
	ARRAY("history", MUST, tage_config, history, tables, &history_entry,
	      1),
	END,
};

static const cyaml_schema_field_t branch_fields[] = {
	WORD("kind", MUST, branch_config, kind, predictors),
	OPTIONAL_NUMBER(branch_config, initial),
	OPTIONAL_NUMBER(branch_config, history_bits),
	OPTIONAL_NUMBER(branch_config, global_bits),
	OPTIONAL_NUMBER(branch_config, counter_bits),
	OPTIONAL_NUMBER(branch_config, ways),
	WORD("policy", MAY, branch_config, policy, policies),
	WORD("static_backward", MAY, branch_config, static_backward,
	     booleans),
	OPTIONAL_NUMBER(branch_config, decode_redirect),
	OPTIONAL_NUMBER(branch_config, pc_shift),
	OPTIONAL_NUMBER(branch_config, entries),
	NUMBER(branch_config, return_entries),
	WORD("return_one_owner", MAY, branch_config, return_one_owner,
	     booleans),
	NUMBER(branch_config, target_entries),
	CYAML_FIELD_MAPPING("tage", MAY, struct branch_config, tage,
			    tage_fields),
	CYAML_FIELD_MAPPING("targets", MAY, struct branch_config, targets,
			    tage_fields),
	END,
};

static const cyaml_schema_field_t class_fields[] = {
	NUMBER(class_config, latency),
	NUMBER(class_config, repeat),
	WORD("unit", MAY, class_config, unit, units),
	BITS("ports", MAY, class_config, ports, ports),
	OPTIONAL_NUMBER(class_config, busy),
	WORD("serial", MAY, class_config, serial, booleans),
	OPTIONAL_NUMBER(class_config, uops),
	END,
};

#define CLASS(id, name)                                                     \
	PART(name, pipeline_config, cls[CLASS_##id], class_fields),

#define OPTIONAL_CLASS(id, name, like)                                      \
	CYAML_FIELD_MAPPING(name, MAY, struct pipeline_config,              \
			    cls[CLASS_##id], class_fields),

static const cyaml_schema_field_t classes_fields[] = {
	TABLE_CLASSES(CLASS) TABLE_OPTIONAL_CLASSES(OPTIONAL_CLASS) END,
};

static const cyaml_schema_value_t decode_entry = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, u8)};

static const cyaml_schema_field_t queue_fields[] = {
	NUMBER(window_queue, entries),
	BITS("holds", MUST, window_queue, holds, holds),
	WORD("until", MUST, window_queue, until, untils),
	END,
};

static const cyaml_schema_value_t queue_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct window_queue,
			    queue_fields)};

static const cyaml_schema_field_t window_fields[] = {
	NUMBER(window_config, fetch),
	NUMBER(window_config, dispatch),
	NUMBER(window_config, retire),
	NUMBER(window_config, run_ahead),
	WORD("split", MUST, window_config, split, booleans),
	WORD("micro_ops", MAY, window_config, micro_ops, micro_ops),
	BITS("joins", MAY, window_config, joins, joins),
	WORD("stack_free", MAY, window_config, stack_free, booleans),
	WORD("store_ahead", MAY, window_config, store_ahead, booleans),
	BITS("load_ports", MUST, window_config, load_ports, ports),
	BITS("store_ports", MUST, window_config, store_ports, ports),
	BITS("load_ports_fp", MAY, window_config, load_ports_fp, ports),
	BITS("data_ports", MAY, window_config, data_ports, ports),
	BITS("data_ports_fp", MAY, window_config, data_ports_fp, ports),
	BITS("branch_ports", MUST, window_config, branch_ports, ports),
	NUMBER(window_config, load_use_fp),
	OPTIONAL_NUMBER(window_config, load_indexed),
	OPTIONAL_NUMBER(window_config, forward),
	OPTIONAL_NUMBER(window_config, forward_part),
	WORD("disambiguation", MAY, window_config, disambiguation,
	     disambiguations),
	OPTIONAL_NUMBER(window_config, across),
	OPTIONAL_NUMBER(window_config, across_repeat),
	OPTIONAL_NUMBER(window_config, lock),
	OPTIONAL_NUMBER(window_config, part_wait),
	WORD("renames_segments", MAY, window_config, renames_segments,
	     booleans),
	BITS("fuses", MAY, window_config, fuses, fuses),
	WORD("moves_free", MAY, window_config, moves_free, booleans),
	WORD("zeroes_free", MAY, window_config, zeroes_free, booleans),
	ARRAY("decode", MAY, window_config, decode, decoders, &decode_entry,
	      1),
	ARRAY("queues", MUST, window_config, queue, queues, &queue_entry, 1),
	END,
};

#define FORM(key, form)                                                     \
	BITS(key, MAY, issue_config, ports[form], ports)

static const cyaml_schema_field_t forms_fields[] = {
	FORM("load", FORM_LOAD),
	FORM("load_locked", FORM_LOAD_LOCKED),
	FORM("store", FORM_STORE),
	FORM("fp_store", FORM_FP_STORE),
	FORM("store_cond", FORM_STORE_COND),
	FORM("branch", FORM_BRANCH),
	FORM("fp_branch", FORM_FP_BRANCH),
	FORM("jump", FORM_JUMP),
	END,
};

static const cyaml_schema_field_t units_fields[] = {
	CYAML_FIELD_UINT("m", MUST, struct issue_config, units_m),
	CYAML_FIELD_UINT("i", MUST, struct issue_config, units_i),
	CYAML_FIELD_UINT("f", MUST, struct issue_config, units_f),
	CYAML_FIELD_UINT("b", MUST, struct issue_config, units_b),
	CYAML_FIELD_UINT("load", MUST, struct issue_config, units_load),
	CYAML_FIELD_UINT("store", MUST, struct issue_config, units_store),
	END,
};

static const cyaml_schema_field_t issue_fields[] = {
	WORD("rule", MUST, issue_config, rule, rules),
	OPTIONAL_NUMBER(issue_config, width),
	WORD("prefix_overlaps", MAY, issue_config, prefix_overlaps, booleans),
	WORD("escape_free", MAY, issue_config, escape_free, booleans),
	OPTIONAL_NUMBER(issue_config, banks),
	OPTIONAL_NUMBER(issue_config, bank_bytes),
	WORD("mmx_store_waits", MAY, issue_config, mmx_store_waits, booleans),
	OPTIONAL_NUMBER(issue_config, mispredict_second),
	OPTIONAL_NUMBER(issue_config, group_bytes),
	OPTIONAL_NUMBER(issue_config, accesses),
	WORD("store_alone", MAY, issue_config, store_alone, booleans),
	WORD("compare_early", MAY, issue_config, compare_early, booleans),
	MAY_SAME("ports", issue_config, forms_fields),
	OPTIONAL_NUMBER(issue_config, bundles),
	MAY_SAME("units", issue_config, units_fields),
	WORD("mmf_alone", MAY, issue_config, mmf_alone, booleans),
	END,
};

static const cyaml_schema_field_t pipeline_fields[] = {
	WORD("kind", MAY, sim_config, pipe.kind, pipelines),
	CYAML_FIELD_MAPPING("issue", MAY, struct sim_config, pipe.issue,
			    issue_fields),
	PART("classes", sim_config, pipe, classes_fields),
	CYAML_FIELD_MAPPING("window", MAY, struct sim_config, pipe.window,
			    window_fields),
#define PIPE(f) CYAML_FIELD_UINT(#f, MUST, struct sim_config, pipe.f)
#define PIPE_MAY(f) CYAML_FIELD_UINT(#f, MAY, struct sim_config, pipe.f)
	PIPE(load_use),
	PIPE_MAY(load_address),
	PIPE_MAY(alu_address),
	PIPE_MAY(unit_address),
	PIPE_MAY(store_data_slack),
	PIPE(mispredict),
	PIPE(indirect),
	PIPE_MAY(wrong_bubble),
	PIPE(taken_bubble),
	PIPE(fetch_bytes),
	PIPE(fetch_ahead),
	PIPE(discarded_tenths),
	PIPE(itlb_bubble),
	PIPE(dtlb_replay),
	PIPE(tlb_refill),
#undef PIPE_MAY
#undef PIPE
	CYAML_FIELD_UINT("long_stall", MAY, struct sim_config,
			 pipe.long_stall),
	CYAML_FIELD_UINT("misaligned", MAY, struct sim_config,
			 pipe.misaligned),
	CYAML_FIELD_UINT("string_bytes", MAY, struct sim_config,
			 pipe.string_bytes),
	WORD("load_blocks", MAY, sim_config, pipe.load_blocks, booleans),
	WORD("barrier_drains", MAY, sim_config, pipe.barrier_drains,
	     booleans),
	WORD("watch_alignment", MAY, sim_config, pipe.watch_alignment,
	     booleans),
	WORD("watch_mmx", MAY, sim_config, pipe.watch_mmx, booleans),
	WORD("locks_bus", MAY, sim_config, pipe.locks_bus, booleans),
	WORD("refill_is_hardware", MUST, sim_config, pipe.refill_is_hardware,
	     booleans),
	WORD("miss_counts_secondary", MUST, sim_config,
	     pipe.miss_counts_secondary, booleans),
	END,
};

static const cyaml_schema_field_t memory_fields[] = {
	NUMBER(memory_config, latency),
	NUMBER(memory_config, bus_fill),
	NUMBER(memory_config, bus_writeback),
	NUMBER(memory_config, beat),
	NUMBER(memory_config, fsb),
	NUMBER(memory_config, ldq),
	NUMBER(memory_config, wbb),
	WORD("ordered", MAY, memory_config, ordered, booleans),
	OPTIONAL_NUMBER(memory_config, wbb_bytes),
	OPTIONAL_NUMBER(memory_config, wbb_drain_at),
	OPTIONAL_NUMBER(memory_config, wbb_drain_after),
	OPTIONAL_NUMBER(memory_config, wbb_cycles),
	NUMBER(memory_config, ifb),
	END,
};

static const cyaml_schema_value_t vpe_entry = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, u8)};

static const cyaml_schema_field_t topology_fields[] = {
	NUMBER(topology_config, vpes),
	CYAML_FIELD_SEQUENCE_COUNT("vpe_of_tc", MUST, struct topology_config,
				   vpe_of_tc, tcs, &vpe_entry, 1, SIM_MAX_TC),
	NUMBER(topology_config, quantum),
	NUMBER(topology_config, time_slice),
	END,
};

static const cyaml_schema_field_t machine_fields[] = {
	NUMBER(sim_config, clock_hz),
	SAME("caches", sim_config, caches_fields),
	ARRAY("prefetchers", MAY, sim_config, prefetcher, n_prefetchers,
	      &prefetcher_entry, 1),
	SAME("tlbs", sim_config, tlbs_fields),
	PART("branch", sim_config, branch, branch_fields),
	SAME("pipeline", sim_config, pipeline_fields),
	PART("memory", sim_config, mem, memory_fields),
	PART("topology", sim_config, topo, topology_fields),
	WORD("tick_evicts", MAY, sim_config, tick_evicts, booleans),
	END,
};

static const cyaml_schema_field_t cpu_fields[] = {
	NAME(yaml_cpu, name),
	TEXT(yaml_cpu, description, MUST),
	WORD("system", MAY, yaml_cpu, config.system, systems),
	OPTIONAL_NAME(yaml_cpu, os),
	PART("machine", yaml_cpu, config, machine_fields),
	PART("counters", yaml_cpu, config, schema_counter_fields),
	LIST("fixed_counters", MAY, yaml_cpu, fixed, &schema_fixed, 1),
	OPTIONAL_NAME(yaml_cpu, events_of),
	CYAML_FIELD_MAPPING("events", MAY, struct yaml_cpu, events,
			    schema_events_fields),
	CYAML_FIELD_MAPPING("reserved", MAY, struct yaml_cpu, reserved,
			    schema_reserved_fields),
	LIST("groups", MAY, yaml_cpu, groups, &schema_group, 1),
	LIST("metrics", MAY, yaml_cpu, metrics, &schema_metric, 1),
	END,
};

static const cyaml_schema_value_t cpu_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yaml_cpu, cpu_fields)};

const cyaml_schema_value_t *
table_schema(enum table_kind kind)
{
	static const cyaml_schema_value_t *const schema[] = {
		[TABLE_CPU] = &cpu_schema,
		[TABLE_OS] = &schema_os,
		[TABLE_LEXICON] = &table_schema_lexicon,
	};

	return schema[kind];
}
