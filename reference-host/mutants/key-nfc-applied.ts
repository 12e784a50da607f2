import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';

export const keyNfcApplied: Mutant = {
  id: 'key-nfc-applied',
  breaks: 'Strings are normalised to Unicode NFC.',
  kills: [...OFFLINE, 'cache-key.jcs-strings'],
  parts: ({ serialise }) => ({ serialise: (projected) => serialise(projected).normalize('NFC') }),
};
