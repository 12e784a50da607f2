import { respond } from '../../types/answers.ts';
import { isObject, member } from '../../json.ts';
import type { EventDraft } from '../../store/event.ts';
import { because, type Defects, within } from '../mutant.ts';
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
  'warn-writes-another-value': {
    breaks: 'What a call that is verified in the mode warn gives to its variables is another value in replays.',
    kills: ['once.verification-warn'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const { workflowId, fork } = writing.run;
        const isMeant = fork?.mode === 'replay' && workflowId.endsWith('-verify-warn');
        const payload = { ...Object(draft.payload), value: 'another' };
        return written(isMeant && draft.type === 'variable.changed' ? { ...draft, payload } : draft, writing);
      },
    }),
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
  'warnings-stand-still': {
    breaks: 'The counter of failed verifications says 7, whatever happens.',
    kills: ['once.verification-warn'],
    parts: answering('POST', /\/test\/verification$/u, () =>
      respond({ status: 200, body: { confirmationReplayWarnTotal: 7 } }),
    ),
  },
  'human-as-strict': {
    breaks:
      'A failed verification fails the run although a person should decide, and the error names the feature alone.',
    kills: ['once.verification-human'],
    alsoBreaks: because('it is the same verification', 'once.verified-recovery.human'),
    parts: ({ ledger, written }) => ({
      ledger: {
        ...ledger,
        onFailedVerification: (mode) => (mode === 'human-in-loop' ? 'fail' : ledger.onFailedVerification(mode)),
      },
      written: (draft, writing) => written(namingTheFeature(draft), writing),
    }),
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
  'later-replays-not-verified': {
    breaks: 'A replay verifies what it injects where it begins at the start of the log alone.',
    kills: ['once.verification-strict'],
    parts: within('ledger', () => ({ verifies: (_isReplay, _mode, fromSeq = 0) => fromSeq < 1 })),
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
  'recovered-run-called-on-replay': {
    breaks: 'A replay of a run that was recovered calls its tool again; replays of other runs do not.',
    kills: ['once.committed'],
    parts: ({ ledger, replay }) => {
      const recovered = new Set<string>();
      return {
        ledger: {
          ...ledger,
          injected: (answer, found) => {
            if (found.stream === 'committed' && found.ledger === 'COMMITTED') recovered.add(JSON.stringify(answer));
            return ledger.injected(answer, found);
          },
        },
        replay: {
          ...replay,
          observation: (recorded, act) =>
            act.mode === 'replay' && recovered.has(JSON.stringify(recorded.value))
              ? undefined
              : replay.observation(recorded, act),
        },
      };
    },
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

/** What says that a verification failed says it of the confirmation replay. */
function namingTheFeature(draft: EventDraft): EventDraft {
  const error = member(draft.payload, 'error');
  if (!isObject(draft.payload) || !isObject(error) || error['code'] !== 'replay_verification_failed') return draft;
  const message = 'confirmation replay: the outside world differs';
  return { ...draft, payload: { ...draft.payload, error: { ...error, message } } };
}
