export type { Credential } from './credentials.ts';
export { defaultCredentials } from './credentials.ts';
export { createReferenceHost } from './host.ts';
export { listen, PortInUse } from './http/listen.ts';
export type { HostParts } from './parts.ts';
export { defaultParts } from './parts.ts';
export { BadDataFile } from './store/database.ts';
export type { Failpoint } from './ledger/failpoints.ts';
export { FAILPOINTS } from './ledger/failpoints.ts';
