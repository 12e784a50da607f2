import { respond } from '../../types/answers.ts';
import { type Defects, within } from '../mutant.ts';
import { answering } from '../shared/run-wire.ts';

const CONFIRMATION = /^\/v1\/runs\/[^/]+\/interrupts\/charge$/u;

/** Verification of recorded results. */
export const defects: Defects = {
  'strict-as-warn': {
    breaks: 'A failed verification is only counted although the mode is strict.',
    kills: ['once.verification-strict'],
    parts: within('ledger', ({ onFailedVerification }) => ({
      onFailedVerification: (mode) => (mode === 'strict' ? 'inject' : onFailedVerification(mode)),
      counts: (mode, agrees) => mode !== 'human-in-loop' && !agrees,
    })),
  },
  'warn-as-strict': {
    breaks: 'A failed verification fails the run although the mode is warn.',
    kills: ['once.verification-warn'],
    parts: within('ledger', ({ onFailedVerification }) => ({
      onFailedVerification: (mode) => (mode === 'warn' ? 'fail' : onFailedVerification(mode)),
    })),
  },
  'warn-not-counted': {
    breaks: 'A failed verification is not counted in the mode warn.',
    kills: ['once.verification-warn'],
    parts: within('ledger', () => ({ counts: () => false })),
  },
  'agreement-counted': {
    breaks: 'A verification that succeeds is counted among those that failed.',
    kills: ['once.verification-warn'],
    parts: within('ledger', () => ({ counts: (mode, agrees) => agrees || mode === 'warn' })),
  },
  'human-not-asked': {
    breaks: 'The recorded result is injected although a person should confirm it first.',
    kills: ['once.verification-human'],
    parts: within('ledger', ({ onFailedVerification }) => ({
      onFailedVerification: (mode) => (mode === 'human-in-loop' ? 'inject' : onFailedVerification(mode)),
    })),
  },
  'unnamed-mode-warns': {
    breaks: 'A failed verification is only counted where no mode is named.',
    kills: ['once.verified-recovery.unnamed-mode'],
    parts: within('ledger', () => ({ unnamedMode: () => 'warn' })),
  },
  'recovery-not-verified': {
    breaks: 'What a recovery injects is not verified; what a replay injects is.',
    kills: ['once.verified-recovery.strict'],
    parts: within('ledger', () => ({ verifies: (isReplay) => isReplay })),
  },
  'recovery-not-verified-in-warn': {
    breaks: 'What a recovery injects is not verified in the mode warn.',
    kills: ['once.verified-recovery.warn'],
    parts: within('ledger', () => ({ verifies: (isReplay, mode) => isReplay || mode !== 'warn' })),
  },
  'recovery-not-verified-by-a-person': {
    breaks: 'What a recovery injects is not verified in the mode human-in-loop.',
    kills: ['once.verified-recovery.human'],
    parts: within('ledger', () => ({ verifies: (isReplay, mode) => isReplay || mode !== 'human-in-loop' })),
  },
  'confirmation-not-heard': {
    breaks: 'A person confirms, and the run fails all the same.',
    kills: ['once.verification-human.resume'],
    parts: within('ledger', () => ({ confirms: () => false })),
  },
  'confirmation-leads-nowhere': {
    breaks: 'A confirmation is accepted, and the run waits on.',
    kills: ['once.verification-human.resume'],
    waits: true,
    parts: answering('POST', CONFIRMATION, () => respond({ status: 202, body: {} })),
  },
};
