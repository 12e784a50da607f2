import type { TransportFailure } from '../evidence/types.ts';

const BY_CODE: Readonly<Record<string, TransportFailure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unresolvable',
  EAI_AGAIN: 'unresolvable',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_CLOSED: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'body-too-large',
  ERR_ANSWER_ENCODED: 'encoded',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
};

/** Names the reason of a failed exchange from the error that the HTTP client threw. */
export function transportFailure(error: unknown): { reason: TransportFailure; message: string } {
  const code = errorCode(error);
  const message = error instanceof Error && error.message !== '' ? error.message : code;
  return { reason: reasonOf(code, error), message };
}

function reasonOf(code: string, error: unknown): TransportFailure {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (code.startsWith('CERT_') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) return 'tls';
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return 'aborted';
  return 'protocol';
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}
