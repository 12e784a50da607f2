import type { Scenario } from '../../src/runner/scenario.ts';
import { annotationForks } from './annotation-forks.ts';
import { annotationLog } from './annotation-log.ts';
import { layerTwo } from './layer-two.ts';
import { region } from './region.ts';
import { guarded } from './row.ts';
import { score } from './score.ts';

/** Determinism reports, regions, annotations and Layer-2 ids, in the register's order. */
export const secondPart: readonly Scenario[] = [score, region, annotationForks, annotationLog, layerTwo].map(guarded);
