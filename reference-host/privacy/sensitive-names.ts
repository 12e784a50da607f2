const SENSITIVE =
  /(?:password|passwd|passphrase|secret|token|apikey|authorization|privatekey|accesskey|secretkey|signingkey|encryptionkey|credential|cookie)s?$/;

/** The name of a member as the list compares it: case and separators do not matter. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether what a member of this name holds is a secret, such as `apiKey`, `db_password` or `X-Auth-Token`. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(bare(name));
}

/** Whether only text under the name is a secret: an object there has names of its own, and a number counts something. */
export function holdsOnlyText(name: string): boolean {
  return /(?:credentials?|s)$/.test(bare(name));
}
