import type { Suite } from '../../src/runner/scenario.ts';
import { kindsToRefusal, kindsToValid } from './kinds.ts';
import { midGraph } from './mid-graph.ts';
import { notBelowVersionFour, refusalToValid, validToRefusal } from './directions.ts';
import { diagnoses } from './diagnoses.ts';

/** refusal-divergence: does a replay say so when its model refuses what it answered before, or the other way round? */
export const refusalDivergence: Suite = {
  id: 'refusal-divergence',
  scenarios: [validToRefusal, refusalToValid, kindsToRefusal, kindsToValid, midGraph, notBelowVersionFour],
  diagnoses,
};
