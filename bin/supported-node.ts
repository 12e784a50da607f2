/**
 * Why a version of Node cannot run this program, in one line; undefined where it can. The versions are those of `engines` in
 * package.json.
 */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const supported = major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19);
  return supported ? undefined : `needs Node.js 20.19, 22.13 or 24, or newer; this is ${version}`;
}
