import { causes } from '../shared/causes.ts';
import { snapshotDiagnoses } from '../shared/snapshot-causes.ts';

const { diagnoses: own, wrong: because } = causes([
  ['named-and-refused', 'the discovery document names workflows of which the host makes no run', ['run.created']],
  ['no-run-id', 'the answer names no runId that can stand in a URL: nobody can ask for the run', ['run.created']],
  ['log-unreadable', 'the log of a run that was made can be read in no way', ['run.created']],
  ['snapshot-unreadable', 'the snapshot of a run that was made cannot be read', ['run.created']],
]);

/** The causes that the judges of this suite alone name. */
export const wrong = because;
export const diagnoses = [...own, ...snapshotDiagnoses];
