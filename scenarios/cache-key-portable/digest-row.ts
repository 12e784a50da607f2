import { canonicalRecipe } from '../../src/contract/gates.ts';
import { type Scenario } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { judgeDigest } from './judge-digest.ts';
import { controls } from './requests.ts';
import { seamRow } from './seam-row.ts';

/** A row that is judged by digests: the sentence that it checks, and the requests that put it to the test. */
export interface DigestRowData {
  readonly id: string;
  readonly title: string;
  readonly asks: readonly Ask[];
}

/** The scenario of a digest row: the plain controls and the row's own requests, each sent once. */
export function digestRow({ id, title, asks }: DigestRowData): Scenario {
  return seamRow({
    id,
    title,
    gate: canonicalRecipe,
    drive: (probe) => askKeys(lineTo(probe), [...controls, ...asks]),
    judge: (observations, { recipe }) => judgeDigest(observations, { check: id, recipe }),
  });
}
