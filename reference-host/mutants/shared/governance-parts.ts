import type { DeletedFork, ExpiredFork, GovernancePolicy, SecretAt } from '../../policies/governance.ts';
import type { Answer } from '../../types/answers.ts';
import type { Parts } from '../mutant.ts';

/** Parts in which a part of the policy of governance is replaced. */
export function governing(change: (conformant: GovernancePolicy) => Partial<GovernancePolicy>): Parts {
  return ({ governance }) => ({ governance: { ...governance, ...change(governance) } });
}

/** Shows the secrets that fit, and hides all others. */
export function showing(shows: (secret: SecretAt) => boolean): Parts {
  return governing(() => ({ hides: (secret) => !shows(secret) }));
}

/** Shows the secrets of replays that fit. */
export function showingInReplays(shows: (secret: SecretAt) => boolean = () => true): Parts {
  return showing((secret) => secret.run.fork?.mode === 'replay' && shows(secret));
}

/** Changes the answers to forks that need expired events; undefined carries the fork out. */
export function answeringExpired(change: (answer: Answer, fork: ExpiredFork) => Answer | undefined): Parts {
  return governing(({ expiredFork }) => ({
    expiredFork: (fork) => {
      const answer = expiredFork(fork);
      return answer === undefined ? undefined : change(answer, fork);
    },
  }));
}

/** Changes the answers to replays that need deleted data; undefined carries the replay out. */
export function answeringDeleted(change: (answer: Answer, fork: DeletedFork) => Answer | undefined): Parts {
  return governing(({ deletedFork }) => ({
    deletedFork: (fork) => {
      const answer = deletedFork(fork);
      return answer === undefined ? undefined : change(answer, fork);
    },
  }));
}

/** An answer with other details, made from those that it has. */
export function withDetails(answer: Answer, change: (details: object) => object): Answer {
  const body = answer.body as { readonly details?: object };
  return { ...answer, body: { ...body, details: change(body.details ?? {}) } };
}
