import { describe, expect, it } from 'vitest';
import { transportFailure } from './transport.ts';

function failing(code: unknown, message = 'm', name = 'Error'): Error {
  return Object.assign(new Error(message), { code, name });
}

describe('transportFailure', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ENOTFOUND', 'unresolvable'],
    ['EAI_AGAIN', 'unresolvable'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'headers-too-large'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'body-too-large'],
    ['ERR_ANSWER_ENCODED', 'encoded'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['constructor', 'protocol'],
    [7, 'protocol'],
  ])('names %s %s', (code, reason) => {
    expect(transportFailure(failing(code))).toEqual({ reason, message: 'm' });
  });

  it('names an abort', () => {
    expect(transportFailure(failing('UND_ERR_ABORTED', 'm', 'AbortError'))).toMatchObject({ reason: 'aborted' });
  });

  it('falls back to the code where there is no message', () => {
    expect(transportFailure(failing('ECONNREFUSED', ''))).toEqual({ reason: 'refused', message: 'ECONNREFUSED' });
  });

  it.each([undefined, null, 'text', 7])('takes %s for a protocol failure', (thrown) => {
    expect(transportFailure(thrown)).toEqual({ reason: 'protocol', message: 'unknown' });
  });
});
