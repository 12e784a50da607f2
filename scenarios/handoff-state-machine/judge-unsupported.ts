import type { Judgement } from '../../src/contract/verdict.ts';
import { runOf } from '../shared/judge-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { named } from '../shared/compare-runs.ts';
import { hasEnded } from './suspending-drive.ts';
import { listed } from './path.ts';
import { readChain } from './chain.ts';
import type { Seen } from './row.ts';

/** The runs of a host without the model: a plain one, and one that would hand off. */
export const [PLAIN, HANDED] = ['plain run', 'handoff run'] as const;

/**
 * Rfc-0037, Compatibility: the events of the state machine are those of hosts that support it. What a host tells of its
 * supervisors and dispatchers otherwise (RFC 0006, RFC 0007) is left to it.
 */
export function judgeUnsupported(check: string, seen: Seen): Judgement {
  const runs = [PLAIN, HANDED].flatMap((role) => runOf(seen, role) ?? []);
  const read = runs.filter((run) => run.problem === null && hasEnded(run));
  for (const run of read) {
    const { transitions } = readChain(run);
    if (transitions.length === 0) continue;
    const expected = `no handoff event in ${named(run)}: the host does not support the execution model`;
    return failing(check, { expected, actual: listed(transitions) }, [run]);
  }
  const [first] = read;
  if (first === undefined) return undecided(check, runs[0]?.problem ?? 'no run was driven', runs);
  const handed = read.some(({ role }) => role === HANDED);
  return passing(check, read, handed ? undefined : 'the host does not run the handoff fixture: judged by a plain run');
}
