import { locate } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { DiscoveryObservation } from './observation.ts';

type Answer = DiscoveryObservation['answer'];

const EXPECTED = '200 with a JSON object, without credentials';

/**
 * 0041 §D: the document is there for everybody. An object that names no protocolVersion is not recognisably one of this
 * protocol, since any server may answer `{}`; that proves nothing either way.
 */
export function judgeReachable(answer: Answer): Omit<Judgement, 'check' | 'evidence'> {
  switch (answer.kind) {
    case 'no-answer':
      return { verdict: 'inconclusive', reason: `no answer: ${answer.reason} (${answer.message})` };
    case 'no-json':
      if (answer.tooDeep) return { verdict: 'inconclusive', reason: `not read: ${answer.why}` };
      return {
        verdict: 'fail',
        expected: EXPECTED,
        actual: `${answer.status}, ${answer.contentType || 'no content type'}: ${answer.why}`,
      };
    case 'document':
      return judgeDocument(answer);
  }
}

function judgeDocument(answer: Extract<Answer, { kind: 'document' }>): Omit<Judgement, 'check' | 'evidence'> {
  const { status, contentType, document } = answer;
  if (status !== 200) return { verdict: 'fail', expected: EXPECTED, actual: `status ${status}` };
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { verdict: 'fail', expected: EXPECTED, actual: `200 with JSON that is no object` };
  }
  if (locate(document, ['protocolVersion']) === undefined) {
    return {
      verdict: 'inconclusive',
      reason: 'a JSON object came back, but nothing in it says that it is an OpenWOP discovery document',
    };
  }
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/iu.test(contentType);
  return isJson
    ? { verdict: 'pass' }
    : { verdict: 'pass', reason: `the content type is ${JSON.stringify(contentType)}, not application/json` };
}
