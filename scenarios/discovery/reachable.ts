import { locate } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, type Evidence, type Outcome } from '../../src/contract/outcome.ts';
import { answeredBy } from '../../src/contract/remedy.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { DISCOVERY_PATH } from '../../src/protocol/paths.ts';
import { isForAnotherTime } from '../../src/protocol/status.ts';
import type { DiscoveryObservation } from './observation.ts';

const REQUEST = `GET ${DISCOVERY_PATH}`;
const EXPECTED = '200 with a JSON object, without credentials';

/**
 * 0041 §D: the document is there for everybody. An object that names no protocolVersion is not recognisably one of this
 * protocol, since any server may answer `{}`; that proves nothing either way.
 */
export function judgeReachable(answer: DiscoveryObservation['answer'], evidence: Evidence): Outcome {
  if (answer.kind === 'no-answer') return undecided(`no answer: ${answer.reason} (${answer.message})`, evidence);
  const { status, contentType } = answer;
  if (isForAnotherTime(status))
    return undecided(`${answeredBy(REQUEST, status)}; run again when the host is ready`, evidence);
  if (answer.kind === 'no-json') {
    if (answer.tooDeep) return undecided(`not read: ${answer.why}`, evidence);
    const actual = `${status}, ${contentType || 'no content type'}: ${answer.why}`;
    return fail({ expected: EXPECTED, actual }, evidence);
  }
  if (status !== 200) return fail({ expected: EXPECTED, actual: `status ${status}` }, evidence);
  if (!isRecord(answer.document))
    return fail({ expected: EXPECTED, actual: '200 with JSON that is no object' }, evidence);
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
