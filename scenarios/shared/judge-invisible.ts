import { isDeepStrictEqual } from 'node:util';
import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import { shown } from './compare-runs.ts';
import { isClientError } from '../../src/protocol/status.ts';
import { leftWithoutControl } from './control.ts';
import { sharedCause } from './diagnoses.ts';
import type { Recordings } from './of-type.ts';
import {
  accepted,
  bodyOf,
  namedRun,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
} from './requested.ts';

/**
 * Judges that a run of another tenant is answered like an unknown one: same status, same headers, same body with the requested id
 * put aside. Values that differ between two unknown runs, such as a request's own id, do not count. `controls` are the roles of
 * the fork that its owner made.
 */
export function judgeInvisible(recorded: Recordings, ...controls: readonly string[]): Outcome {
  const left = leftWithoutControl(recorded, ...controls);
  if (left !== undefined) return left;
  const [invisible] = requestsOf(recorded, 'invisible');
  const [unknown, other] = requestsOf(recorded, 'unknown');
  if (invisible === undefined || unknown === undefined || other === undefined) {
    return undecided('the second tenant requested nothing', []);
  }
  const answers = [invisible, unknown, other];
  // Whoever is shown the same page everywhere is shown no run.
  if (accepted(invisible) && (namedRun(invisible) !== undefined || !accepted(unknown))) {
    const [actual, diagnosis] = [shownAnswer(invisible), sharedCause('tenants-mixed')];
    return fail({ expected: '404', actual, diagnosis }, answers);
  }
  const why = answers.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, answers);
  const status = statusOf(invisible);
  if (statusOf(unknown) !== 404 || statusOf(other) !== 404) {
    return undecidedUntil(
      'answer 404 for runs that there are not',
      `to the second tenant a run that there is not is ${shownAnswer(unknown)}, not 404`,
      answers,
    );
  }
  const difference = status === 404 ? answerDifference({ invisible, unknown, other }) : undefined;
  if (status === 404 && difference === undefined) return pass(answers);
  return fail(
    {
      expected: difference?.expected ?? `404, as for the unknown run ${unknown.name}`,
      actual: difference?.actual ?? `${shownAnswer(invisible)} for the run ${invisible.name} of another tenant`,
      diagnosis: sharedCause('existence-revealed'),
    },
    answers,
  );
}

/**
 * Judges a request that is refused whatever run it is about: one of another tenant is refused as an unknown one is, be that with 404
 * or for what is wrong with the request.
 */
export function judgeRefusedAlike(answers: InvisibleAnswers, restsOn?: string): Outcome {
  const { invisible, unknown, other } = answers;
  const evidence = [invisible, unknown, other];
  const why = evidence.map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, evidence);
  const difference = statusOf(invisible) === statusOf(unknown) ? answerDifference(answers) : undefined;
  if (statusOf(invisible) === statusOf(unknown) && difference === undefined) {
    return isClientError(statusOf(invisible)) ? pass(evidence) : undecided(noRefusal(invisible), evidence);
  }
  const request = `${invisible.request} for the run ${invisible.name} of another tenant`;
  return fail(
    {
      expected: `${difference?.expected ?? shownAnswer(unknown)}, as the same for the unknown run ${unknown.name}`,
      actual: `${difference?.actual ?? shownAnswer(invisible)}, at ${request}`,
      diagnosis: sharedCause(accepted(invisible) ? 'tenants-mixed' : 'existence-revealed'),
      restsOn,
    },
    evidence,
  );
}

/** What is said of an answer by which a host stumbles: what it would refuse is open. */
export function noRefusal(answer: Requested): string {
  return `the second tenant was answered ${shownAnswer(answer)}, which is no refusal`;
}

/** What a tenant was answered about another one's run, and about two that there are not. */
export interface InvisibleAnswers {
  readonly invisible: Requested;
  readonly unknown: Requested;
  readonly other: Requested;
}

/** Headers of the connection, and of how a body was sent on it: they come and go by themselves. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'vary',
  'date',
  'age',
  'alt-svc',
  'set-cookie',
  'server-timing',
]);

/** A header that the answer about another tenant's run has, and those about unknown ones do not, or the other way round. */
function headerDifference({
  invisible: { headerNames: seen },
  unknown: { headerNames: before },
  other: { headerNames: after },
}: InvisibleAnswers): { readonly expected: string; readonly actual: string } | undefined {
  if (seen === undefined || before === undefined || after === undefined) return undefined;
  const isTelling = (name: string): boolean =>
    !OF_THE_CONNECTION.has(name) &&
    before.includes(name) === after.includes(name) &&
    seen.includes(name) !== before.includes(name);
  const name = [...seen, ...before].find(isTelling);
  if (name === undefined) return undefined;
  const [expected, actual] = seen.includes(name) ? ['no', 'a'] : ['a', 'no'];
  return {
    expected: `${expected} header ${name}, as for an unknown run`,
    actual: `${actual} header ${name} for a run of another tenant`,
  };
}

/** Where the body for another tenant's run differs from those for unknown ones, ids put aside, or the headers that stand there; undefined where it does not. */
export function answerDifference(
  answers: InvisibleAnswers,
): { readonly expected: string; readonly actual: string } | undefined {
  const [a, b, c] = [leavesOf(answers.invisible), leavesOf(answers.unknown), leavesOf(answers.other)];
  for (const pointer of new Set([...a.keys(), ...b.keys()])) {
    const [value, unknown, other] = [a.get(pointer), b.get(pointer), c.get(pointer)];
    const volatile = unknown !== undefined && other !== undefined && !isDeepStrictEqual(unknown, other);
    if (volatile ? value !== undefined : isDeepStrictEqual(value, unknown)) continue;
    return {
      expected: `${pointer}: ${shown(unknown)} as for an unknown run, ids put aside`,
      actual: `${shown(value)} for a run of another tenant`,
    };
  }
  return headerDifference(answers);
}

/** The values of an answer's body by their pointers, with the requested id replaced; a body that is no JSON counts as absent. */
function leavesOf(requested: Requested): ReadonlyMap<string, Json> {
  const { name } = requested;
  const leaves = new Map<string, Json>();
  const walk = (value: Json, pointer: string): void => {
    if (typeof value === 'object' && value !== null) {
      leaves.set(pointer, Array.isArray(value) ? [] : {});
      for (const [key, inner] of Object.entries(value)) walk(inner, `${pointer}/${key.replaceAll(name, '(id)')}`);
    } else leaves.set(pointer, typeof value === 'string' ? value.replaceAll(name, '(id)') : value);
  };
  const body = bodyOf(requested);
  if (body !== undefined) walk(body, '');
  return leaves;
}
