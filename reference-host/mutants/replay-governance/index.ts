import { defects as access } from './access.ts';
import { defects as annotations } from './annotations.ts';
import { defects as audit } from './audit.ts';
import { defects as deletion } from './deletion.ts';
import { defects as layerTwo } from './layer-two.ts';
import { defects as redaction } from './redaction.ts';
import { defects as regions } from './regions.ts';
import { defects as reports } from './reports.ts';
import { defects as retention } from './retention.ts';
import { defects as spans } from './spans.ts';
import { defects as timeline } from './timeline.ts';

/** The mutants that checks of replay-governance have to kill. */
export const replayGovernanceMutants = [
  retention,
  redaction,
  deletion,
  audit,
  access,
  reports,
  regions,
  annotations,
  layerTwo,
  spans,
  timeline,
];
