import { noneRan, SWEEP_SOME } from '../../src/contract/remedy.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { SweptObservation } from './sweep-others.ts';

/** So many names in one sentence. */
const NAMED = 24;

/** How many of the advertised workflows were swept, and which were not and why; undefined where there are none. */
export function shareText({ advertised, swept, leftOut }: SweptObservation): string | undefined {
  if (advertised === 0) return undefined;
  const share = `${swept} of ${advertised} advertised workflows were swept`;
  const whys = [...new Set(leftOut.map(({ why }) => why))];
  const rest = whys.map((why) => {
    const left = leftOut.filter((each) => each.why === why);
    return `${left.length} left out: ${why} (${listed(left.map(({ workflowId }) => workflowId))})`;
  });
  return [share, ...rest].join(', ');
}

/** Says that no workflow served, and what to do about it: the advertised ones may not have been swept because nobody wanted that. */
export function noneSwept(recorded: Recordings, what: string): string {
  const [share] = ofType<SweptObservation>(recorded, 'swept');
  const none = share?.swept === 0 ? share.leftOut.filter(({ why }) => why === NO_SWEEP).length : 0;
  return none === 0 ? noneRan(what) : `${what}: ${NO_SWEEP} leaves out ${none} of them: ${SWEEP_SOME.step}`;
}

/** Why workflows are left out where none is to be swept. */
const NO_SWEEP = '--sweep none';

/** Names, the first ones where there are many. */
export function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return more <= 0 ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${more} more`;
}

/** What of a sweep was not judged. */
interface NotSwept {
  readonly leftOut: readonly string[];
  /** The share of the advertised workflows. */
  readonly share: string | undefined;
}

/** What was seen in a sweep, after the share of the advertised workflows and before what was left out. */
export function sweptText({ leftOut, share }: NotSwept, recorded: string): string {
  const rest = leftOut.length === 0 ? [] : [`left out: ${listed(leftOut)}`];
  return [...(share === undefined ? [] : [share]), recorded, ...rest].join('; ');
}

/** As many names as one sentence holds. */
export function firstOf(names: readonly string[]): readonly string[] {
  return names.slice(0, NAMED);
}
