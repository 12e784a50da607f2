import type { CheckReport } from '../contract/report.ts';

/**
 * One defect is red once (architecture, Causes): a failure that belongs to another check is undecided and rests on it
 * where that check failed in the same run. Where it did not fail, or was not judged, the failure stands: nothing is
 * hidden. What is undecided for want of another check says so in the same way. A chain of causes rests on its first.
 */
export function settleCauses(checks: readonly CheckReport[]): readonly CheckReport[] {
  const failed = new Map(checks.filter(({ verdict }) => verdict === 'fail').map((check) => [check.id, check]));
  return checks.map((check) => {
    const { restsOn, ...standing } = check;
    if (restsOn === undefined) return check;
    const root = rootOf(check, failed);
    if (root === check.id) return standing;
    return check.verdict === 'fail' ? undecided(check, root) : { ...check, restsOn: root };
  });
}

/** The id of the check that carries the cause; the check's own where no other one does. */
function rootOf(check: CheckReport, failed: ReadonlyMap<string, CheckReport>): string {
  const passed = new Set([check.id]);
  let root = check;
  for (;;) {
    const owner = root.restsOn === undefined ? undefined : failed.get(root.restsOn);
    if (owner === undefined || owner === root) return root.id;
    if (passed.has(owner.id)) return check.id;
    passed.add(owner.id);
    root = owner;
  }
}

function undecided(check: CheckReport, restsOn: string): CheckReport {
  const { expected: _expected, actual, diagnosis: _diagnosis, reproduce: _reproduce, ...rest } = check;
  const reason = actual === undefined ? 'not seen' : `not seen: ${actual}`;
  return { ...rest, verdict: 'inconclusive', reason, restsOn };
}
