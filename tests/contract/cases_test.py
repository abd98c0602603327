"""Faults of other memory tools, taken from public bug reports: each has the test that would catch it here.

The names are those under which the faults were collected: frontmatter, index, scan, rank, encoding, settings, platform,
transcript, queue, lock, summary, recursion, install. Calls that hard rules have to judge (SH, SEC-T) are in
tests/data/rules/cases.jsonl. Two of the locks (LCK-05, LCK-07: whose lock is a fresh, empty file, or one from another
machine) do not arise: the kernel knows who holds one of ours, and what stands in the file means nothing.
"""

import re

import pytest

from support.checkout import ROOT

FRONTMATTER = "unit/frontmatter_test.py::"
STORE = "unit/store_test.py::"
INDEX = "unit/index_test.py::"
RANK = "unit/rank_test.py::"
CATALOG = "unit/catalog_test.py::"
SESSION = "contract/session_test.py::"
BOUNDARY = "contract/boundary_test.py::"
LAUNCHER = "contract/launcher_test.py::"
RULES = "contract/rules_test.py::"
TRANSCRIPT = "unit/transcript_test.py::"
LOCKS = "unit/locks_test.py::"
INDEX_LINES = "unit/index_lines_test.py::"
INDEX_FILE = "unit/worker/index_file_test.py::"
EXTRACTION = "contract/extraction_test.py::"
COMPACTION = "contract/compaction_test.py::"
FAULTS = "contract/faults_test.py::"
SETTINGS_TEXT = "unit/cli/settings_text_test.py::"

CASES = {
    "FM-01 unquoted colon": FRONTMATTER + "test_colon_in_a_plain_value_belongs_to_it",
    "FM-04 byte order mark before the fence": FRONTMATTER + "test_byte_order_mark_before_the_fence_is_not_content",
    "FM-05 byte order mark without a header": FRONTMATTER + "test_byte_order_mark_goes_without_a_header_too",
    "FM-07 dashes inside a value": FRONTMATTER + "test_dashes_inside_a_value_close_nothing",
    "FM-08 rule in a file without header": FRONTMATTER + "test_rules_in_a_text_without_header_are_text",
    "FM-09 match up to a later rule": FRONTMATTER + "test_header_ends_at_its_first_closing_fence",
    "FM-10 header never closed": STORE + "test_a_file_without_a_usable_header_keeps_its_name_and_first_words",
    "FM-11 yes, no and numbers": FRONTMATTER + "test_every_scalar_is_text",
    "FM-13 round trip of hostile text": FRONTMATTER + "test_quoted_text_reads_back",
    "FM-14 alias bomb": FRONTMATTER + "test_aliases_are_never_expanded",
    "FM-15 object tag": FRONTMATTER + "test_tags_run_nothing",
    "FM-17 null and missing values": FRONTMATTER + "test_empty_and_null_are_the_empty_text",
    "FM-18 escapes in quoted patterns": FRONTMATTER + "test_escapes_count_in_double_quotes_only",
    "FM-20 blanks after a fence": FRONTMATTER + "test_blanks_after_a_fence_are_nothing",
    "FM-21 header is no mapping": FRONTMATTER + "test_header_that_is_no_mapping_is_body_and_a_problem",
    "IDX-01 more than 200 lines": INDEX + "test_lines_past_200_are_not_loaded_and_the_notice_says_so",
    "IDX-03 cut inside a character": INDEX + "test_wide_characters_are_never_cut_in_two",
    "IDX-04 one very long line": INDEX + "test_one_very_long_line_is_loaded_in_part",
    "IDX-07 comments do not count": INDEX + "test_comments_and_frontmatter_do_not_count",
    "SCN-01 dangling link": STORE + "test_links_are_not_followed",
    "SCN-02 link out of the folder": STORE + "test_links_are_not_followed",
    "SCN-03 link loop": STORE + "test_links_are_not_followed",
    "SCN-05 file that is not UTF-8": STORE + "test_bytes_that_are_not_text_do_not_stop_the_others",
    "SCN-06 editor and sync leftovers": STORE + "test_what_editors_and_sync_tools_leave_is_no_topic",
    "SCN-07 very large topic file": STORE + "test_a_large_file_is_read_only_at_its_head",
    "SCN-08 equal and future times": CATALOG + "test_newer_files_come_first_and_equal_times_follow_the_names",
    "SCN-09 folder does not exist": SESSION + "test_reading_makes_no_memory_directory",
    "RNK-01 Chinese without blanks": RANK + "test_the_fitting_topic_comes_first_and_is_delivered",
    "RNK-02 Japanese and Korean": RANK + "test_the_fitting_topic_comes_first_and_is_delivered",
    "RNK-03 not injected again": SESSION + "test_a_topic_is_delivered_once_however_often_it_fits",
    "RNK-04 small talk": SESSION + "test_small_talk_commands_and_notifications_bring_nothing",
    "RNK-06 rare identifier": RANK + "test_the_fitting_topic_comes_first_and_is_delivered",
    "RNK-10 pasted log": SESSION + "test_a_pasted_log_does_not_hide_the_question",
    "RNK-11 operators in the prompt": SESSION + "test_operators_in_a_prompt_are_only_text",
    "RNK-12 newer of two equal notes": RANK + "test_of_two_equal_notes_the_newer_is_first",
    "RNK-13 identifier in another case style": RANK + "test_the_fitting_topic_comes_first_and_is_delivered",
    "SET-02 own configuration broken": SESSION + "test_a_broken_configuration_means_the_defaults",
    "SET-03 off switch": LAUNCHER + "test_a_kill_switch_leaves_no_trace",
    "SET-04 relative and home paths": SESSION + "test_a_home_form_never_becomes_a_directory_of_that_name",
    "ENC-02 output under LC_ALL=C": BOUNDARY + "test_the_locale_does_not_matter",
    "ENC-03 lone surrogate": BOUNDARY + "test_broken_input_is_a_log_line_and_no_error",
    "ENC-04 bytes that are not UTF-8": BOUNDARY + "test_broken_input_is_a_log_line_and_no_error",
    "ENC-05 names that look alike": SESSION
    + "test_projects_whose_names_look_alike_have_what_the_client_gives_them",
    "ENC-08 byte order mark before the payload": BOUNDARY + "test_a_byte_order_mark_changes_nothing",
    "PLT-02 malformed payload at PreToolUse": RULES + "test_a_payload_that_cannot_be_read_is_never_allowed",
    "PLT-03 form of the refusal": RULES + "test_a_reported_call_gets_the_right_decision",
    "PLT-04 no opinion is not allow": RULES + "test_without_a_hard_rule_there_is_never_an_opinion",
    "PLT-05 HOME missing": LAUNCHER + "test_without_record_home_and_path_nothing_fails",
    "PLT-06 noise on standard error": BOUNDARY + "test_every_recorded_payload_gets_an_answer_or_nothing",
    "PLT-09 linked worktree": SESSION + "test_a_worktree_shares_the_memory_of_its_repository",
    "PLT-10 submodule is no worktree": "unit/projects_test.py::test_the_directory_is_the_client_s",
    "PLT-11 current folder deleted": LAUNCHER + "test_a_deleted_working_directory_is_no_problem",
    "PLT-12 stock shell of macOS": "contract/repository_test.py::test_a_shell_script_is_portable",
    "TRN-02 last line without line break": TRANSCRIPT + "test_a_whole_last_line_without_line_break_is_read_once",
    "TRN-04 rewritten, same length": EXTRACTION + "test_a_rewritten_transcript_is_read_on_after_what_was_extracted",
    "TRN-05 half of a surrogate pair": TRANSCRIPT + "test_half_a_surrogate_pair_becomes_text_that_can_be_written",
    "TRN-06 broken line in the middle": TRANSCRIPT + "test_a_broken_line_costs_only_itself",
    "TRN-07 cursor counts bytes": TRANSCRIPT + "test_an_offset_counts_bytes_not_characters",
    "TRN-09 all shapes of content": TRANSCRIPT + "test_content_comes_in_every_shape",
    "TRN-11 side chains": TRANSCRIPT + "test_what_a_model_asks_its_helpers_is_not_said",
    "TRN-12 injected text is not learnt again": TRANSCRIPT + "test_what_hooks_and_the_client_add_is_not_said",
    "TRN-13 last answer not on disk yet": EXTRACTION + "test_an_answer_that_the_file_lacks_is_taken_from_the_hook_once",
    "TRN-14 no assistant line at all": TRANSCRIPT + "test_a_prompt_without_an_answer_is_a_turn",
    "TRN-16 line of 12 MB": TRANSCRIPT + "test_new_lines_behind_a_picture_are_read_without_it",
    "TRN-17 fork copies the history": EXTRACTION + "test_a_fork_brings_nothing_of_its_origin_again",
    "TRN-18 dead branch after a rewind": TRANSCRIPT + "test_a_turn_that_a_rewind_left_behind_is_left_out",
    "TRN-20 answer over several lines": TRANSCRIPT + "test_an_answer_over_several_lines_is_one_answer",
    "TRN-21 CRLF, blank lines, padding": TRANSCRIPT + "test_carriage_returns_blank_lines_and_padding_are_nothing",
    "QUE-01 Stop after every turn": EXTRACTION + "test_each_turn_is_read_once",
    "QUE-02 worker dies in the middle": FAULTS + "test_a_worker_killed_anywhere_loses_and_doubles_nothing",
    "QUE-04 queue file is damaged": "unit/queue_test.py::test_a_damaged_job_is_kept_aside_and_holds_up_nothing",
    "QUE-06 many Stops": EXTRACTION + "test_fifty_stops_make_one_worker_and_one_memory",
    "QUE-07 session id as file name": EXTRACTION + "test_no_session_id_leads_out_of_the_state_directory",
    "QUE-08 worker outlives the hook": EXTRACTION + "test_the_worker_outlives_the_hook_s_whole_process_group",
    "QUE-10 lines that come meanwhile": EXTRACTION + "test_lines_that_come_while_the_worker_reads_are_for_the_next_job",
    "LCK-01 holder is dead": LOCKS + "test_a_killed_holder_leaves_no_lock",
    "LCK-02 process id used again": LOCKS + "test_what_stands_in_the_file_means_nothing",
    "LCK-04 empty or garbage lock file": LOCKS + "test_what_stands_in_the_file_means_nothing",
    "LCK-08 lock is a link": LOCKS + "test_a_link_is_refused_and_what_it_leads_to_is_left_alone",
    "LCK-10 release removes another's lock": LOCKS + "test_a_holder_that_is_stopped_keeps_its_lock",
    "LCK-11 time stamp in the future": LOCKS + "test_what_stands_in_the_file_means_nothing",
    "SUM-02 every kind of trigger": COMPACTION + "test_every_kind_of_compaction_has_a_summary",
    "SUM-04 empty session keeps the summary": COMPACTION + "test_an_empty_session_leaves_the_good_summary",
    "SUM-05 two sessions, one project": COMPACTION + "test_two_sessions_of_a_project_keep_their_own",
    "SUM-06 no instruction at Stop": EXTRACTION + "test_a_stop_says_nothing_though_a_summary_with_open_tasks_is_there",
    "SUM-07 summary over the limit": COMPACTION + "test_a_long_stored_summary_is_cut_and_named",
    "REC-01 the worker starts hooks again": "e2e/extraction_test.py::test_nothing_of_memdir_starts_a_client",
    "REC-03 own transcripts": EXTRACTION + "test_a_session_in_memdir_s_own_directory_is_no_source",
    "REC-04 output of the Stop hook": EXTRACTION + "test_a_stop_without_new_lines_changes_nothing",
    "REC-06 hooks of a child": LAUNCHER + "test_a_kill_switch_leaves_no_trace",
    "IDX-05 two sessions add entries": INDEX_FILE + "test_two_processes_that_add_20_topics_each_lose_none",
    "IDX-08 text breaks the link": INDEX_FILE + "test_a_file_with_an_odd_text_has_one_line_that_leads_to_it",
    "IDX-09 long hooks": INDEX_LINES + "test_205_long_descriptions_make_an_index_that_is_loaded_whole",
    "IDX-11 hand-written part": INDEX_LINES + "test_a_new_line_follows_the_list_and_hand_written_text_stays",
    "INS-01 foreign hooks of the same event": SETTINGS_TEXT
    + "test_foreign_hooks_in_the_same_events_stay_and_ours_are_in_groups_of_their_own",
    "INS-06 uninstall matches too much": SETTINGS_TEXT + "test_an_entry_of_others_is_never_taken_out",
    "INS-08 byte order mark at the start": SETTINGS_TEXT + "test_a_byte_order_mark_stays",
    "INS-10 file mode and ownership": "unit/cli/settings_file_test.py::test_the_file_keeps_its_mode",
    "INS-11 text and key order": SETTINGS_TEXT + "test_the_order_of_keys_text_and_numbers_stay",
    "INS-14 full disk": "contract/settings_test.py::test_a_full_disk_leaves_the_old_text_complete",
    "SEC-01 text closes the wrapper": "unit/delivery_test.py::test_text_of_a_memory_cannot_close_or_open_a_wrapper",
}  # fmt: skip

# What these need does not exist yet.
WAITING = {
    "a model that is asked": ["REC-07"],
}


@pytest.mark.parametrize("case", CASES)
def test_the_test_of_a_case_exists(case):
    file, name = CASES[case].split("::")
    assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text("utf-8"), re.M)


def test_no_case_waits_that_has_a_test():
    tested = {case.split()[0] for case in CASES}
    assert not tested & {case for cases in WAITING.values() for case in cases}
