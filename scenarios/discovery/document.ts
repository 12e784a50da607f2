import { locate, readDiscovery } from '../../src/contract/discovery.ts';
import { type Evidence, fail, isOutcome, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { answeredBy } from '../../src/contract/remedy.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { DISCOVERY_PATH } from '../../src/protocol/paths.ts';
import { isForAnotherTime, isRedirect } from '../../src/protocol/status.ts';
import { defineScenario, judgementOf } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import {
  judgeExecutionModel,
  judgeFamilies,
  judgeRecipeIdentifier,
  judgeReplayDeterminism,
  judgeShape,
  judgeVendorRecipeDocumented,
  judgeVersionFourComplete,
} from './blocks.ts';
import { type Advertised, type DiscoveryObservation, observeDiscovery } from './observation.ts';
import { wrong } from './diagnoses.ts';

const REQUEST = `GET ${DISCOVERY_PATH}`;
const EXPECTED = '200 with a JSON object, without credentials';

/**
 * 0041 §D: the document is there for everybody. An object that names no protocolVersion is not recognisably one of this
 * protocol, since any server may answer `{}`; that proves nothing either way.
 */
function judgeReachable(answer: DiscoveryObservation['answer'], evidence: Evidence): Outcome {
  if (answer.kind === 'no-answer') return undecided(`no answer: ${answer.reason} (${answer.message})`, evidence);
  const { status, contentType } = answer;
  if (isForAnotherTime(status))
    return undecided(`${answeredBy(REQUEST, status)}; run again when the host is ready`, evidence);
  if (answer.kind === 'no-json') {
    if (answer.tooDeep) return undecided(`not read: ${answer.why}`, evidence);
    const what = isRedirect(status)
      ? 'a redirect, which is not followed'
      : `${contentType || 'no content type'}: ${answer.why}`;
    const actual = `${status}, ${what}`;
    return fail({ diagnosis: wrong('discovery-unread'), expected: EXPECTED, actual }, evidence);
  }
  if (status !== 200)
    return fail({ diagnosis: wrong('discovery-unread'), expected: EXPECTED, actual: `status ${status}` }, evidence);
  if (!isRecord(answer.document))
    return fail(
      { diagnosis: wrong('discovery-unread'), expected: EXPECTED, actual: '200 with JSON that is no object' },
      evidence,
    );
  if (locate(answer.document, ['protocolVersion']) === undefined) {
    return undecided(
      'a JSON object came back, but nothing in it says that it is an OpenWOP discovery document',
      evidence,
    );
  }
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/iu.test(contentType);
  return pass(
    evidence,
    isJson ? undefined : `the content type is ${JSON.stringify(contentType)}, not application/json`,
  );
}

/** The judges of what the document advertises. */
const ROWS: readonly (readonly [id: string, title: string, judge: (advertised: Advertised) => Outcome])[] = [
  ['discovery.shape', 'The advertised blocks in scope match the bundled schema', judgeShape],
  ['discovery.execution-model', 'executionModel has boolean supported and integer version >= 1', judgeExecutionModel],
  ['discovery.replay-determinism', 'replayDeterminism is closed and has boolean supported', judgeReplayDeterminism],
  ['discovery.recipe-identifier', 'The cache-key recipe is named as the RFC says', judgeRecipeIdentifier],
  ['discovery.version-four-complete', 'Version 4 comes with everything it promises', judgeVersionFourComplete],
  ['discovery.vendor-recipe-documented', 'A vendor recipe is documented in the document', judgeVendorRecipeDocumented],
  ['schema.discovery', 'Members that the wire contract alone describes fit their schema', judgeFamilies],
];

interface ReadDocument {
  readonly reachable: Outcome;
  /** What the document says, or the outcome that is left to the rows about it. */
  readonly advertised: Advertised | Outcome;
}

/** What the first request gave is judged by itself; what is advertised, from the one that gave a document. */
function see(requested: readonly Recorded<DiscoveryObservation>[]): ReadDocument | Outcome {
  const [first] = requested;
  if (first === undefined) return undecided('the discovery document was not requested', []);
  const reachable = judgeReachable(first.answer, [first]);
  for (const { answer, ...observation } of requested) {
    const document = answer.kind === 'document' && answer.status === 200 ? answer.document : undefined;
    if (!isRecord(document)) continue;
    return { reachable, advertised: { document, discovery: readDiscovery(document), evidence: [observation] } };
  }
  const evidence = [first];
  const { reason, actual } = judgementOf(FOUNDATIONS.discovery, reachable);
  const left = undecided(`there is no discovery document: ${reason ?? actual ?? ''}`, evidence);
  return { reachable, advertised: rests(FOUNDATIONS.discovery, left) };
}

/** The discovery document, fetched once and judged row by row. */
export const document = defineScenario<DiscoveryObservation, ReadDocument>({
  id: 'discovery.document',
  suite: 'discovery',
  title: 'The discovery document is public, well-formed and coherent',
  documentOnly: true,
  drive: async ({ discoveryExchange, discoveryAgain }) =>
    [discoveryExchange, discoveryAgain].flatMap((exchange) =>
      exchange === undefined ? [] : observeDiscovery(exchange),
    ),
  see,
  checks: [
    {
      id: FOUNDATIONS.discovery,
      title: 'GET /.well-known/openwop answers 200 with a JSON object',
      judge: ({ reachable }) => reachable,
    },
    ...ROWS.map(([id, title, judge]) => ({
      id,
      title,
      judge: ({ advertised }: ReadDocument) => (isOutcome(advertised) ? advertised : judge(advertised)),
    })),
  ],
});
