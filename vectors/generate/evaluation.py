"""Writes our own suites of evaluations and scores: of two faults the first in the order of the page, and times.

    python3 vectors/generate/evaluation.py

Every case starts from a record that the suites of the first writer accept. What is wrong with it, and what it is refused
with, is written by hand.
"""
import copy
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent.parent / "deliverables"
BASIS = "Derived by hand from the rules, by vectors/generate/evaluation.py; the library computes nothing of it."
DROP = object()
BARE = "0" * 64


def first_input(suite):
    cases = json.loads((HERE / f"{suite}.json").read_text())["cases"]
    return next(one["input"] for one in cases if one["expect"]["ok"])


def put(record, path, value):
    *above, name = path.split(".")
    for part in above:
        record = record.get(part) if isinstance(record, dict) else None
    if not isinstance(record, dict):
        return
    if value is DROP:
        record.pop(name, None)
    else:
        record[name] = copy.deepcopy(value)


def refused(kind, field=None):
    return {"ok": False, "kind": kind, **({"field": field} if field else {})}


def pairs(faults):
    """Each fault alone, and with the next one of another member."""
    for index, (path, value, *expect) in enumerate(faults):
        yield f"{index:02}-alone", [(path, value)], expect
        later = next((fault for fault in faults[index + 1:] if fault[0] != path), None)
        if later:
            yield f"{index:02}-with-next", [later[:2], (path, value)], expect


def write(name, op, about, cases):
    assert len({case["id"] for case in cases}) == len(cases), name
    head = json.dumps({"suite": f"deliverables/{name}", "op": op, "about": about, "basis": BASIS})[:-1]
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / f"{name}.json").write_text(f'{head},"cases":[\n{lines}\n]}}\n')


def write_order(name, op, member, base, faults, extra=None):
    record = json.loads(base)
    cases = []
    for case, changes, expect in pairs(faults):
        changed = copy.deepcopy(record)
        for path, value in changes:
            put(changed, path, value)
        note = ", ".join(path for path, _ in reversed(changes))
        given = {member: json.dumps(changed), **(extra or {})}
        cases.append({"id": f"{name}/{case}", "note": note, "input": given, "expect": refused(*expect)})
    write(name, op, "Every fault alone, and with the next one: the first in the order of the page counts.", cases)


SPEC_DIGESTS = (
    "deliverable_manifest_sha256 deliverable_tree_sha256 task_sha256 run_sha256 config_sha256 "
    "evaluator_file_manifest_sha256 evaluator_image_digest wrapper_sha256 private_material_sha256 rubric_sha256 "
    "criteria_sha256 aggregation_sha256 judge_settings_sha256 judge_prompt_sha256 judge_output_schema_sha256 "
    "runtime_policy_sha256 egress_policy_sha256 resource_policy_sha256 token_accounting_policy_sha256 spec_sha256"
).split()
write_order("spec-order", "evaluation.parse_spec", "record_json", first_input("spec")["record_json"], [
    ("evaluator_tree", DROP, "fields_mismatch"),
    ("schema_version", None, "schema_version_unsupported"),
    ("evaluation_id", {}, "opaque_id_invalid", "evaluation_id"),
    ("evaluator_repository", 1, "repository_invalid"),
    ("judge_requested_identity", [], "judge_identity_invalid", "judge_requested_identity"),
    *((name, BARE, "digest_invalid", name) for name in SPEC_DIGESTS),
    ("evaluator_commit", True, "git_sha_invalid", "evaluator_commit"),
    ("evaluator_tree", "A" * 40, "git_sha_invalid", "evaluator_tree"),
    ("evaluation_id", "official", "self_hash_mismatch", "spec_sha256"),
])

COUNTS = "input_tokens output_tokens cache_read_tokens cache_write_tokens reasoning_tokens total_tokens".split()
write_order("usage-order", "evaluation.parse_usage", "record_json", first_input("usage")["record_json"], [
    ("total_tokens", DROP, "fields_mismatch"),
    ("source", None, "code_invalid", "source"),
    *(fault for name in COUNTS for fault in (
        (name, [], "not_an_object", name),
        (f"{name}.more", 1, "fields_mismatch"),
        (f"{name}.value", 1.0, "not_non_negative_integer", "value"),
        (f"{name}.unknown_reason", "two words", "code_invalid", "unknown_reason"),
        (name, {"value": None, "unknown_reason": "because"}, "unknown_reason_invalid", "unknown_reason"),
        (name, {"value": 0, "unknown_reason": "unknown"}, "unknown_reason_must_be_null", "unknown_reason"),
    )),
    ("source", "guess", "token_source_invalid", "source"),
])

SNAPSHOT = "pricing_snapshot_sha256"
write_order("cost-order", "evaluation.parse_cost", "record_json", first_input("cost")["record_json"], [
    ("basis", DROP, "fields_mismatch"),
    ("amount_microusd", -1, "not_non_negative_integer", "amount_microusd"),
    ("currency", 1, "code_invalid", "currency"),
    ("basis", None, "code_invalid", "basis"),
    (SNAPSHOT, "", "code_invalid", SNAPSHOT),
    ("unknown_reason", False, "code_invalid", "unknown_reason"),
    ("basis", "free", "cost_basis_invalid", "basis"),
    ("amount_microusd", None, "not_non_negative_integer", "amount_microusd"),
    ("currency", "EUR", "currency_invalid", "currency"),
    ("unknown_reason", "unknown", "unknown_reason_must_be_null", "unknown_reason"),
    (SNAPSHOT, BARE, "digest_invalid", SNAPSHOT),
])

NUMBERS = "started_monotonic_ns ended_monotonic_ns wall_elapsed_ns queue_elapsed_ns summed_call_elapsed_ns".split()
timing = first_input("timing")["record_json"]
write_order("timing-order", "evaluation.parse_timing", "record_json", timing, [
    ("clock_id", DROP, "fields_mismatch"),
    ("clock_id", "", "code_invalid", "clock_id"),
    ("started_at_utc", " ", "code_invalid", "started_at_utc"),
    ("ended_at_utc", 0, "code_invalid", "ended_at_utc"),
    *((name, 0.5, "not_non_negative_integer", name) for name in NUMBERS),
    ("clock_id", "a/b", "opaque_id_invalid", "clock_id"),
    ("started_at_utc", "2026-05-04T09Z", "timestamp_not_canonical", "started_at_utc"),
    ("ended_at_utc", "soon", "timestamp_invalid", "ended_at_utc"),
    ("ended_at_utc", "2026-05-04T08:59:59.999999Z", "ends_before_start", "ended_at_utc"),
    ("ended_monotonic_ns", 0, "ends_before_start", "ended_monotonic_ns"),
    ("wall_elapsed_ns", 1, "wall_elapsed_mismatch", "wall_elapsed_ns"),
    ("queue_elapsed_ns", 1250000001, "queue_exceeds_wall", "queue_elapsed_ns"),
])

OTHER = """2026-09-02T09:00:00.000000Z 2026-09-02T09:00:00.250Z 2026-09-02T09:00:00.1Z 2026-09-02T09:00:00.250000000Z
2026-09-02T09:00Z 2026-09-02T09Z 20260902T090000Z 20260902T0900Z 20260902T090000.5Z 2026-09-02T090000Z
2026-W36T09:00:00Z 2026-W36-3T09:00:00Z 2026W36T09Z 2026W363T09Z 2026-09-02t09:00:00Z 2026-09-02-09:00:00Z
2026-09-02/09:00:00Z 2026-W53-7T00Z 2020-W53T00Z 2032-W53-1T00Z 2015W537T00Z 9999-W52-5T00Z 2026-W36-10Z""".split()
NONE = """2026-02-30T00:00:00Z 2026-02-29T00:00:00Z 1900-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-00-01T00:00:00Z
2026-01-00T00:00:00Z 2026-04-31T00:00:00Z 0000-01-01T00:00:00Z 2026-09-02T24:00:00Z 2026-09-02T23:60:00Z
2026-09-02T23:59:60Z 2026-09-02 2026-09-02Z 2026-09-02T09:00:00 2026-09-02T09:00:00z 2026-09-02T09:00:00+00:00
2026-09-02T09:00:00+00:00Z 2026-09-02T9:00:00Z 26-09-02T09:00:00Z 2026-0902T09:00:00Z 202609-02T09:00:00Z
2026-W363T09Z 2026W36-3T09Z 2026-09-02T09:0000Z 2026-09-02T0900:00Z 2026-09-02T09:00.5Z 2026-W00T00Z 2026-W54T00Z
2025-W53T00Z 2026-W36-0T00Z 2026-W36-8T00Z 2026-09-02T09:00:00.Z 2026-w36T00Z 2026-245T00Z 2026-09-020900Z now""".split()
times = []
for kind, texts in (("timestamp_not_canonical", OTHER), ("timestamp_invalid", NONE)):
    for text in texts:
        given = {"record_json": json.dumps({**json.loads(timing), "started_at_utc": text})}
        expect = refused(kind, "started_at_utc")
        times.append({"id": f"timing-times/{len(times):02}", "note": text, "input": given, "expect": expect})
write("timing-times", "evaluation.parse_timing", "What is a time in another spelling, and what is none.", times)

RECEIPT_DIGESTS = (
    "evaluation_spec_sha256 deliverable_manifest_sha256 deliverable_tree_sha256 task_sha256 run_sha256 config_sha256 "
    "judge_settings_sha256 judge_prompt_sha256 judge_output_schema_sha256 runtime_policy_sha256 egress_policy_sha256 "
    "resource_policy_sha256 token_accounting_policy_sha256 raw_result_sha256 issuer_policy_sha256 receipt_sha256"
).split()
MEDIA = "raw_result_media_type"
write_order("receipt-order", "evaluation.parse_receipt", "record_json", first_input("receipt")["record_json"], [
    ("status", DROP, "fields_mismatch"),
    ("token_usage", "none", "not_an_object", "token_usage"),
    ("token_usage.source", "guess", "token_source_invalid", "source"),
    ("cost", None, "not_an_object", "cost"),
    ("cost.basis", "free", "cost_basis_invalid", "basis"),
    ("timing", [], "not_an_object", "timing"),
    ("timing.clock_id", "a/b", "opaque_id_invalid", "clock_id"),
    ("schema_version", "v1", "schema_version_unsupported"),
    *((name, " a", "opaque_id_invalid", name)
      for name in ("measurement_id", "evaluation_attempt_id", "attempt_nonce", "issuer_key_id")),
    *((name, "judge", "judge_identity_invalid", name)
      for name in ("judge_requested_identity", "judge_resolved_identity")),
    *((name, BARE, "digest_invalid", name) for name in RECEIPT_DIGESTS),
    ("repeat_index", 0, "not_positive_integer", "repeat_index"),
    ("raw_result_size_bytes", 1.0, "not_non_negative_integer", "raw_result_size_bytes"),
    (MEDIA, 1, "wrong_type"),
    (MEDIA, "Text/plain", "media_type_invalid", MEDIA),
    ("status", [], "wrong_type"),
    ("status", {}, "wrong_type"),
    ("status", True, "status_invalid", "status"),
    ("measurement_id", "official", "self_hash_mismatch", "receipt_sha256"),
    *(("signature", value, "signature_malformed") for value in ("", None, False, 0, [], {}, "A" * 88)),
    *(("signature", value, "wrong_type") for value in (True, 1, [0], {"a": 0})),
])

DIGESTS = "rubric_sha256 criteria_sha256 aggregation_sha256 output_schema_sha256".split()
RULES = "direction unit weight_rule missingness_rule rounding_rule aggregation_rule".split()
write_order("metric-order", "score.parse_metric", "record_json", first_input("metric")["record_json"], [
    ("normalizer_id", DROP, "fields_mismatch"),
    ("schema_version", {}, "schema_version_unsupported"),
    ("metric_id", 1, "opaque_id_invalid", "metric_id"),
    ("metric_id", "other", "metric_id_not_pinned", "metric_id"),
    ("criterion_count", 23.0, "not_integer", "criterion_count"),
    ("criterion_count", 0, "not_positive_integer", "criterion_count"),
    ("criterion_count", 24, "criterion_count_not_23", "criterion_count"),
    ("raw_min", True, "not_integer", "raw_min"),
    ("raw_max", None, "not_integer", "raw_max"),
    ("raw_min", 1, "raw_bounds_invalid"),
    *((name, "other", "metric_rule_not_pinned", name) for name in RULES),
    ("raw_max", 2, "raw_bounds_invalid"),
    ("raw_derivative_schema_version", "v1", "metric_rule_not_pinned", "raw_derivative_schema_version"),
    ("normalizer_id", "other", "metric_rule_not_pinned", "normalizer_id"),
    *((name, BARE, "digest_invalid", name) for name in DIGESTS),
    ("definition_sha256", None, "self_hash_mismatch", "definition_sha256"),
])

ARTIFACT_DIGESTS = (
    "evaluation_receipt_sha256 evaluation_spec_sha256 raw_result_sha256 metric_definition_sha256 score_sha256"
).split()
write_order("score-artifact-order", "score.parse_artifact", "record_json", first_input("score-artifact")["record_json"], [
    ("unit", DROP, "fields_mismatch"),
    ("schema_version", "v1", "schema_version_unsupported"),
    *((name, BARE, "digest_invalid", name) for name in ARTIFACT_DIGESTS),
    ("unit", "percent", "score_unit_invalid"),
    ("n_criteria", "23", "not_integer", "n_criteria"),
    ("n_criteria", -23, "not_positive_integer", "n_criteria"),
    ("n_criteria", 22, "criterion_count_not_23", "n_criteria"),
    ("n_passed", 23.0, "not_integer", "n_passed"),
    ("n_passed", -1, "not_non_negative_integer", "n_passed"),
    ("n_passed", 24, "n_passed_exceeds"),
    *(("score_value", value, "score_value_invalid") for value in (True, 1.0, 0, 2, "1", None)),
])

authority = first_input("acceptance-authority")
SOURCE = "private_key_source"
TEXTS = "environment path name encoding".split()
write_order("authority-order", "evaluation.accept_by_authority", "authority_json", authority["authority_json"], [
    ("status", DROP, "fields_mismatch"),
    ("schema_version", 1, "schema_version_unsupported"),
    (SOURCE, "env", "not_an_object", SOURCE),
    (f"{SOURCE}.more", 1, "authority_custody"),
    (f"{SOURCE}.backend", " ", "string_empty", "backend"),
    (f"{SOURCE}.backend", "elsewhere", "authority_custody"),
    *((name, " ", "string_empty", name) for name in ("issuer_id", "key_id", "algorithm", "issuer_policy_sha256")),
    ("public_key_base64", False, "string_empty", "public_key_base64"),
    *((f"{SOURCE}.{name}", None, "string_empty", name) for name in TEXTS),
    ("status", "", "string_empty", "status"),
    ("issuer_id", "a b", "issuer_identifier_invalid", "issuer_id"),
    ("key_id", "a\n", "issuer_identifier_invalid", "key_id"),
    ("algorithm", "ed25519", "authority_algorithm"),
    ("issuer_policy_sha256", "x", "digest_invalid", "issuer_policy_sha256"),
    *((f"{SOURCE}.{name}", "elsewhere", "authority_custody") for name in TEXTS),
    ("status", "ready", "authority_status"),
    ("public_key_base64", "A" * 44, "authority_public_key"),
    ("public_key_base64", None, "authority_status"),
    ("key_id", "another", "issuer_key_unknown"),
    ("issuer_policy_sha256", BARE, "issuer_policy_unknown"),
], {name: value for name, value in authority.items() if name != "authority_json"})
