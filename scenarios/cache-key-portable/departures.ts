import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { isAboutCaller, isNoRoute } from '../../src/protocol/status.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { diagnosisOf, keyOf } from './answers.ts';
import { type RecordedKey, shownKey } from './observation.ts';
import { SEAM } from './send.ts';

/** The two hosts, in the order of their keys. */
export const HOSTS = ['the first host', 'the second host'] as const;

/** The keys of the first and of the second host. */
export type Sides = readonly [readonly RecordedKey[], readonly RecordedKey[]];

/**
 * Which of the two hosts depart from the keys that the recipe gives offline, and by which mistake; undefined where
 * neither does. The cases that the documents leave open decide nothing here.
 */
export function departures(sides: Sides, recipe: RecipeName): Diagnosis | undefined {
  const found = sides.flatMap((side, index) => {
    const diagnosis = departureOf(side, recipe);
    return diagnosis === undefined ? [] : [{ host: HOSTS[index] ?? '', ...diagnosis }];
  });
  if (found.length === 0) return undefined;
  return {
    code: [...new Set(found.map(({ code }) => code))].join('+'),
    message: found.map(({ host, message }) => `${host} departs from the offline key: ${message}`).join('; '),
  };
}

function departureOf(side: readonly RecordedKey[], recipe: RecipeName): Diagnosis | undefined {
  const explained = diagnosisOf(side, recipe);
  if (explained !== undefined) return explained;
  const wrong = side.find((each) => {
    const right = each.part === 'either' ? undefined : rightKeyOf(each.request, recipe);
    return right !== undefined && keyOf(each) !== undefined && keyOf(each) !== right;
  });
  if (wrong === undefined) return undefined;
  const message = `${shownKey(keyOf(wrong) ?? '')} for "${wrong.name}", which no known rule explains`;
  return { code: 'unexplained', message };
}

/** What a host that answers no plain request has to do, where its status tells. */
export function remedyOf(side: readonly RecordedKey[], index: number): string {
  const statuses = side.flatMap(({ answer }) => (answer.kind === 'refused' ? [answer.status] : []));
  if (statuses.some(isAboutCaller)) {
    return `; give a credential that it accepts${index === 1 ? ' (--api-key-b-env)' : ''}`;
  }
  return statuses.some(isNoRoute) ? `; it has to expose POST ${SEAM} (docs/seams.md)` : '';
}
