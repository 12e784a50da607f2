import { createHash, type KeyObject, sign, verify } from 'node:crypto';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope with one signature. */
export interface Envelope {
  /** The payload's bytes in Base64. */
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** SHA-256, in lowercase hexadecimal. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What a key is called: the digest of its public half's DER. */
export function keyId(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: 'spki', format: 'der' }));
}

/** Signs a payload with an Ed25519 key. */
export function seal(payload: string, privateKey: KeyObject, publicKey: KeyObject): Envelope {
  const bytes = Buffer.from(payload, 'utf8');
  const sig = sign(null, authenticated(PAYLOAD_TYPE, bytes), privateKey).toString('base64');
  const signatures = [{ keyid: keyId(publicKey), sig }];
  return { payload: bytes.toString('base64'), payloadType: PAYLOAD_TYPE, signatures };
}

/** Whether the envelope's only signature is one of this key over its payload. */
export function isSealedBy({ payload, payloadType, signatures }: Envelope, publicKey: KeyObject): boolean {
  const [signature, ...others] = signatures;
  const bytes = fromBase64(payload);
  const given = fromBase64(signature?.sig ?? '');
  if (signature === undefined || others.length > 0 || bytes === undefined || given === undefined) return false;
  return signature.keyid === keyId(publicKey) && verify(null, authenticated(payloadType, bytes), publicKey, given);
}

/** The bytes of a Base64 text that is spelled in the one way that encoding them gives. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** DSSE's pre-authentication encoding: the type is signed with the payload. */
function authenticated(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head, 'utf8'), payload]);
}
