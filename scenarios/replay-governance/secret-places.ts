import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import { makeCanary, spellingsIn, type Canary } from './canary.ts';

/** Where a secret was put, and whether it got there. */
export interface Place {
  /** Its number, from 1. */
  readonly canary: number;
  readonly place: string;
  readonly arrived: boolean;
  /** Whether it stands beside the harmless text, in one JSON object. */
  readonly beside: boolean;
}

/** All secrets of a run. */
export interface PlantedObservation extends Observation {
  readonly type: 'planted';
  readonly places: readonly Place[];
  /** The secrets themselves, in the order of their numbers, as a JSON list. */
  readonly request: string;
}

/** The secrets of one run. */
export type Secrets = ReturnType<typeof makeSecrets>;

/**
 * Makes the secrets of one run, each for one place, so that each shows whether a host redacts there: inputs, what the tool
 * and the model say, and what the question is answered with.
 */
export function makeSecrets() {
  const [input, repeated, tool, base64] = [makeCanary(), makeCanary(), makeCanary(), makeCanary()];
  const [percent, model, inText, resume] = [makeCanary(), makeCanary(), makeCanary(), makeCanary()];
  const canaries = [input, repeated, tool, base64, percent, model, inText, resume];
  const marker = `plain-${makeCanary().core}`;
  return {
    canaries,
    marker,
    credentials: { apiKey: input.text, token: repeated.text },
    toolAnswer: {
      apiKey: tool.text,
      secret: base64.text,
      password: percent.text,
      privateKey: model.text,
      repeated: `called with ${repeated.text}, as asked`,
      encoded: Buffer.from(`key=${base64.text};`).toString('base64'),
      link: `https://service.invalid/?key=${encodeURIComponent(percent.text)}`,
      note: marker,
    },
    modelText: `The key is ${model.text}, keep it. ${JSON.stringify({ password: inText.text })}`,
    resumeValue: { approved: true, comment: 'go on', password: resume.text },
    /** What arrived, by what the witness had and whether the question's answer was taken. */
    planted: (visit: WitnessVisit, isAnswered: boolean) =>
      plantedAt(canaries, placesOf(canaries, visit.calls(), isAnswered)),
  };
}

function plantedAt(canaries: readonly Canary[], places: readonly Omit<Place, 'canary'>[]): PlantedObservation {
  return {
    type: 'planted',
    places: places.map((place, index) => ({ canary: index + 1, ...place })),
    request: JSON.stringify(canaries.map(({ text }) => text)),
    exchanges: [],
  };
}

/** Where each secret is put, and what shows that it arrived: what the witness received or answered, or the question. */
const PLACES: readonly (readonly [place: string, by: 'body' | 'answer' | 'question'])[] = [
  ['run input credentials.apiKey', 'body'],
  ["run input credentials.token, said again in a text of the tool's answer", 'body'],
  ["member apiKey of the tool's answer", 'answer'],
  ["member secret of the tool's answer, said again in base64", 'answer'],
  ["member password of the tool's answer, said again percent-encoded", 'answer'],
  ["member privateKey of the tool's answer, said again by the model", 'answer'],
  ["member password of JSON in the model's text", 'answer'],
  ['resumeValue.password', 'question'],
];

function placesOf(canaries: readonly Canary[], calls: readonly WitnessCall[], isAnswered: boolean) {
  return canaries.map((canary, index) => {
    const [place, by] = PLACES[index] ?? ['', 'question'];
    const arrived =
      by === 'question' ? isAnswered : calls.some((call) => spellingsIn(JSON.stringify(call[by]), canary).length > 0);
    return { place, arrived, beside: place.includes("of the tool's answer") };
  });
}

/** The secrets of a run whose tool answers them and which then fails with that answer in its message. */
export function makeErrorSecrets() {
  const [key, token] = [makeCanary(), makeCanary()];
  const canaries = [key, token];
  const marker = `plain-${makeCanary().core}`;
  return {
    canaries,
    marker,
    toolAnswer: { apiKey: key.text, token: token.text, note: marker },
    planted: (visit: WitnessVisit) => {
      const arrived = visit.calls().some(({ kind, answer }) => kind === 'effect' && answer !== null);
      const places = ['apiKey', 'token'].map((name) => `member ${name} of the tool's answer, said again in the error`);
      return plantedAt(
        canaries,
        places.map((place) => ({ place, arrived, beside: true })),
      );
    },
  };
}
