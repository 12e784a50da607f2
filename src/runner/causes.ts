import type { CheckReport } from '../contract/report.ts';

/**
 * One defect is red once (architecture, Causes): a failure that belongs to another check is undecided and rests on it
 * where that check failed in the same run. Where it did not fail, or was not judged, the failure stands: nothing is
 * hidden. What is undecided for want of another check says so in the same way. A chain of causes, undecided
 * ones among them, rests on its first.
 */
export function settleCauses(checks: readonly CheckReport[]): readonly CheckReport[] {
  const failed = failures(checks);
  const resting = new Map(checks.filter(isResting).map((check) => [check.id, check]));
  return checks.map((check) => {
    const { restsOn, ...standing } = check;
    if (restsOn === undefined) return check;
    const root = rootOf(check, (name) => failed(name) ?? resting.get(name));
    if (root === check.id) return standing;
    return check.verdict === 'fail' ? undecided(check, root) : { ...check, restsOn: root };
  });
}

/**
 * Finds what failed by the name that others rest on: the check of that id, else the first one of the requirement. Undefined
 * where none failed.
 */
export function failures<Failed extends Pick<CheckReport, 'id' | 'requirement' | 'verdict'>>(
  checks: readonly Failed[],
): (name: string) => Failed | undefined {
  const byName = new Map<string, Failed>();
  for (const check of checks) {
    if (check.verdict !== 'fail') continue;
    if (!byName.has(check.requirement)) byName.set(check.requirement, check);
    byName.set(check.id, check);
  }
  return (name) => byName.get(name);
}

function isResting({ verdict, restsOn }: CheckReport): boolean {
  return verdict === 'inconclusive' && restsOn !== undefined;
}

/** The id of the check that failed and carries the cause; the check's own where no other one does. */
function rootOf(check: CheckReport, ownerOf: (name: string) => CheckReport | undefined): string {
  const passed = new Set([check.id]);
  let root = check;
  for (;;) {
    const owner = root.restsOn === undefined ? undefined : ownerOf(root.restsOn);
    if (owner === undefined || owner === root) return root.verdict === 'fail' ? root.id : check.id;
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
