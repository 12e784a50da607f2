import { defects as access } from './access.ts';
import { defects as annotations } from './annotations.ts';
import { defects as deletion } from './deletion.ts';
import { defects as layerTwo } from './layer-two.ts';
import { defects as redaction } from './redaction.ts';
import { defects as regions } from './regions.ts';
import { defects as reports } from './reports.ts';
import { defects as retention } from './retention.ts';
import { defects as views } from './views.ts';

/** The mutants that checks of replay-governance have to kill. */
export const replayGovernanceMutants = [
  retention,
  redaction,
  deletion,
  access,
  reports,
  regions,
  annotations,
  layerTwo,
  views,
];
