import { replaySupported } from '../../src/contract/gates.ts';
import { listed } from '../../src/contract/listed.ts';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { replays } from '../shared/replays.ts';
import { isLink, isPlaceholder } from '../shared/still-to-be-said.ts';
import { wrong } from './diagnoses.ts';
import {
  type DocumentObservation,
  isDocumented,
  leftUnread,
  leftUnrecorded,
  namesIn,
  readDocuments,
  saidIn,
  saysHowLong,
  type RecordedDocument,
  type Statement,
} from './documents.ts';
import { DELETE } from './judge-deleted.ts';
import { gatingSeam } from './seam.ts';

const RETENTION_ROW = 'retention.documented';

/**
 * replay.md, Retention: documentation may stand where no machine reads it, so a link leaves the row open. A policy with nothing in it but
 * that it is still to be written is none.
 */
export function judgeDocumented(documents: readonly RecordedDocument[]): Outcome {
  if (documents.length === 0) return undecided('no document was read', []);
  const placed = documents.flatMap(({ name, mentions }) => mentions.map((mention) => ({ name, ...mention })));
  const found = placed.find(isDocumented);
  if (found !== undefined) return pass(documents, `${found.name}, ${found.pointer}`);
  const left = leftUnread(documents, 'it');
  if (left !== undefined) return left;
  const empty = placed.find(({ kind }) => kind === 'placeholder');
  const expected = 'a retention policy, such as replay/retention in the discovery document, or a link to documentation';
  const actual =
    empty === undefined
      ? 'neither the discovery document nor /v1/openapi.json says anything of retention'
      : `${empty.name}, ${empty.pointer} holds nothing but places for one`;
  return fail({ diagnosis: wrong('retention-not-documented'), expected, actual }, documents);
}

/** What replays need, and so what a retention policy is about, by the names that a policy may give it. */
const KINDS = {
  snapshots: { what: 'source run snapshots', names: /\bsnapshots?\b|\bstates?\b/u },
  'event-logs': { what: 'source run event logs', names: /\bevents?\b|(?<!invocation )\blogs?\b|\bhistory\b/u },
  'invocation-logs': {
    what: 'invocation logs or provider-response caches',
    names: /\binvocations?\b|\bproviders?\b|\bresponses?\b|\bcaches?\b|\bcalls?\b/u,
  },
  forks: { what: 'forked runs', names: /\bfork(?:s|ed)?\b|\bbranch(?:es)?\b|\breplays?\b/u },
} as const;

type Kind = keyof typeof KINDS;

const WHOLE = /\b(?:everything|anything|all (?:data|of it|of them|records|runs))\b/u;
/** What is said of deletion is said of no time. */
const DELETED = /\b(?:delet|eras)/u;

/** Judges that a policy says how long one kind of what replays need is kept (replay.md, Retention). */
function judgeKind(documents: readonly RecordedDocument[], kind: Kind): Outcome {
  const { what } = KINDS[kind];
  if (judgeDocumented(documents).kind !== 'pass') {
    return rests(RETENTION_ROW, undecided(`no retention policy was read: name ${what} in replay/retention`, documents));
  }
  const unrecorded = leftUnrecorded(documents, 'retention');
  if (unrecorded !== undefined) return unrecorded;
  const said = documents.flatMap(({ name, retention = [] }) => retention.map((each) => ({ name, ...each })));
  const told = said.filter((each) => !DELETED.test(namesIn(each)));
  const about = told.filter(({ text }) => !isPlaceholder(text));
  const found = about.find((each) => isAbout(each, kind));
  if (found !== undefined) return pass(documents, `${found.name}, ${found.pointer}`);
  const general = about.find((each) => isUnnamed(each) && saysHowLong(saidIn(each)));
  if (general !== undefined) {
    const reason = `${general.name}, ${general.pointer} says how long, and not of what`;
    return undecidedUntil(`name ${what} in replay/retention`, reason, documents);
  }
  const empty = told.find((each) => isPlaceholder(each.text) && isAbout(each, kind));
  if (empty !== undefined) {
    const reason = `${empty.name}, ${empty.pointer} holds a place for it: ${empty.text}`;
    return undecidedUntil(`say how long ${what} are kept`, reason, documents);
  }
  const left = leftUnread(documents, what);
  if (left !== undefined) return left;
  return fail(
    {
      expected: `how long ${what} are kept, as replay/retention says it of other things`,
      actual: `${about.length} statements, none of them about these: ${listed(
        about.map(({ pointer }) => pointer),
        5,
      )}`,
      diagnosis: wrong('retention-not-told'),
    },
    documents,
  );
}

/** A member that is named after a kind speaks of that one; of others their texts say what they are about. */
function isAbout(statement: Statement, kind: Kind): boolean {
  const said = isUnnamed(statement) ? saidIn(statement) : namesIn(statement);
  return KINDS[kind].names.test(said) || (isUnnamed(statement) && WHOLE.test(said));
}

function isUnnamed(statement: Statement): boolean {
  const names = namesIn(statement);
  return Object.values(KINDS).every((each) => !each.names.test(names));
}

/** replay.md, Retention and garbage collection. */
export const documented = defineScenario<DocumentObservation>({
  suite: 'replay-governance',
  id: RETENTION_ROW,
  title: 'A host that advertises replay says how long it keeps what a replay needs',
  gate: replaySupported,
  drive: readDocuments,
  checks: [
    {
      id: RETENTION_ROW,
      title: 'Retention is documented where replay is advertised',
      judge: judgeDocumented,
    },
    ...(Object.keys(KINDS) as readonly Kind[]).map((kind) => ({
      id: `${RETENTION_ROW}.kinds.${kind}`,
      title: `The retention policy says how long ${KINDS[kind].what} are kept`,
      judge: (documents: readonly RecordedDocument[]) => judgeKind(documents, kind),
    })),
  ],
});

const DELETION_ROW = 'privacy.deletion-documented';

/** replay.md, Privacy: it may stand where no machine reads it, so a link leaves the row open. */
function judgeDeletionDocumented(documents: readonly RecordedDocument[]): Outcome {
  if (documents.length === 0) return undecided('no document was read', []);
  const unrecorded = leftUnrecorded(documents, 'deletion');
  if (unrecorded !== undefined) return unrecorded;
  const [found] = documents.flatMap(({ name, deletion = [] }) =>
    deletion.flatMap(({ pointer, text }) => (isPlaceholder(text) || isLink(text) ? [] : [`${name}, ${pointer}`])),
  );
  if (found !== undefined) return pass(documents, found);
  const left = leftUnread(documents, 'what becomes of replays and branches once data is deleted');
  if (left !== undefined) return left;
  return fail(
    {
      diagnosis: wrong('deletion-not-documented'),
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
  id: DELETION_ROW,
  title: 'A host that deletes data on request says what becomes of replays',
  gate: replaySupported,
  needs: [replays, gatingSeam(DELETE)],
  drive: readDocuments,
  checks: [
    { id: DELETION_ROW, title: 'The effect of a deletion on replays is documented', judge: judgeDeletionDocumented },
  ],
});
