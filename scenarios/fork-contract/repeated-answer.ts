import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import type { Json } from '../../src/evidence/types.ts';
import { shown } from '../shared/compare-runs.ts';
import { judgeDuplicate } from '../shared/duplicates.ts';
import { isOfAnother } from './judge-answer.ts';
import { accepted, bodyOf, type Requested } from '../shared/requested.ts';
import { wrong } from './diagnoses.ts';

/** What a fork was made of: the run's status, and what a URL looks like, may be other ones in a later answer. */
const MEMBERS = ['sourceRunId', 'fromSeq', 'mode'] as const;

/** The answer that made a fork, and the observation that holds it. */
export interface FirstAnswer {
  readonly id: string;
  readonly runId: string;
  readonly body: Json | undefined;
}

/**
 * Judges a request under the Idempotency-Key of a fork: the same run, of the same source, start and mode where both say so. One that
 * was told and is null now is another one; a member that is left out says nothing. Its URL may look otherwise, and names no other run.
 */
export function judgeRepeated(duplicate: Requested, first: FirstAnswer): Outcome {
  const same = judgeDuplicate(duplicate, first.runId);
  return same.kind === 'pass' ? (changedMember(duplicate, first) ?? otherUrl(duplicate, first) ?? same) : same;
}

function changedMember(duplicate: Requested, first: FirstAnswer): Outcome | undefined {
  if (!accepted(duplicate)) return undefined;
  const [was, is] = [first.body, bodyOf(duplicate)];
  const name = MEMBERS.find((each) => {
    const [before, after] = [member(was, each) ?? undefined, member(is, each)];
    return before !== undefined && after !== undefined && !isDeepStrictEqual(before, after);
  });
  if (name === undefined) return undefined;
  const expected = `${name} ${shown(member(was, name))}, as in the first answer under the Idempotency-Key`;
  return fail(
    {
      diagnosis: wrong('repeated-otherwise'),
      expected,
      actual: `${duplicate.name}: ${name} ${shown(member(is, name))}`,
    },
    [duplicate, first],
  );
}

/** A URL that names the source and not the fork, where that of the first answer does not. */
function otherUrl(duplicate: Requested, first: FirstAnswer): Outcome | undefined {
  if (!accepted(duplicate)) return undefined;
  const [was, is] = [member(first.body, 'eventsUrl'), member(bodyOf(duplicate), 'eventsUrl')];
  const [sourceRunId, { runId }] = [member(first.body, 'sourceRunId'), first];
  if (typeof was !== 'string' || typeof is !== 'string' || typeof sourceRunId !== 'string') return undefined;
  const isOther = (url: string): boolean => isOfAnother(url, { runId: sourceRunId }, { runId });
  if (isOther(was) || !isOther(is)) return undefined;
  const expected = `an eventsUrl of ${runId}, as in the first answer under the Idempotency-Key (${was})`;
  return fail(
    {
      diagnosis: wrong('repeated-otherwise'),
      expected,
      actual: `${duplicate.name}: ${is}, which is that of the source`,
    },
    [duplicate, first],
  );
}
