import { replaySupported } from '../../src/contract/gates.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftUnread, leftUnrecorded, readDocuments, type DocumentObservation, type SeenDocument } from './documents.ts';
import { DELETE } from './judge-deleted.ts';
import { replays } from '../shared/replays.ts';
import { gatingSeam } from './seam.ts';

const ROW = 'privacy.deletion-documented';

/** replay.md, Privacy: it may stand where no machine reads it, so a link leaves the row open. */
function judgeDeletionDocumented(documents: readonly SeenDocument[]): Outcome {
  if (documents.length === 0) return undecided('no document was read', []);
  const unrecorded = leftUnrecorded(documents, 'deletion');
  if (unrecorded !== undefined) return unrecorded;
  const [found] = documents.flatMap(({ name, deletion = [] }) => deletion.map(({ pointer }) => `${name}, ${pointer}`));
  if (found !== undefined) return pass(documents, found);
  const left = leftUnread(documents, 'what becomes of replays and branches once data is deleted');
  if (left !== undefined) return left;
  return fail(
    {
      expected:
        'what a deletion means for replays and branches, such as replay/retention/deletedData in the discovery document',
      actual: `data can be deleted (${DELETE}), and neither the discovery document nor /v1/openapi.json says what becomes of forks then`,
    },
    documents,
  );
}

/** replay.md, Privacy: hosts that delete data define how that affects replay. */
export const deletionDocumented = defineScenario<DocumentObservation>({
  suite: 'replay-governance',
  id: ROW,
  title: 'A host that deletes data on request says what becomes of replays',
  gate: replaySupported,
  needs: [replays, gatingSeam(DELETE)],
  drive: readDocuments,
  checks: [{ id: ROW, title: 'The effect of a deletion on replays is documented', judge: judgeDeletionDocumented }],
});
