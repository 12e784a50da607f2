import type { Json, Observation } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import { makeCanary, spellingsIn, type Canary } from './canary.ts';
import type { Planted } from './listen.ts';

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

/** The secrets of one run; each stands in one place, so that each shows whether a host redacts there. */
export interface Secrets extends Planted {
  /** The run input that the tool is called with. */
  readonly credentials: { readonly [name: string]: string };
  /** What the tool answers. */
  readonly toolAnswer: Json;
  /** What the model says. */
  readonly modelText: string;
  /** What the question of the run is answered with. */
  readonly resumeValue: Json;
  /** What arrived, by what the witness had and whether the question's answer was taken. */
  planted(visit: WitnessVisit, isAnswered: boolean): PlantedObservation;
}

/** Makes the secrets of one run. */
export function makeSecrets(): Secrets {
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
    planted: (visit, isAnswered) => ({
      type: 'planted',
      places: placesOf(canaries, visit.calls(), isAnswered),
      request: JSON.stringify(canaries.map((each) => each.text)),
      exchanges: [],
    }),
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

function placesOf(canaries: readonly Canary[], calls: readonly WitnessCall[], isAnswered: boolean): readonly Place[] {
  return canaries.map((canary, index) => {
    const [place, by] = PLACES[index] ?? ['', 'question'];
    const arrived =
      by === 'question' ? isAnswered : calls.some((call) => spellingsIn(JSON.stringify(call[by]), canary).length > 0);
    return { canary: index + 1, place, arrived, beside: place.includes("of the tool's answer") };
  });
}

/** The secrets of a run whose tool answers them and which then fails with that answer in its message. */
export function makeErrorSecrets(): Planted & {
  readonly toolAnswer: Json;
  planted(visit: WitnessVisit): PlantedObservation;
} {
  const [key, token] = [makeCanary(), makeCanary()];
  const marker = `plain-${makeCanary().core}`;
  return {
    canaries: [key, token],
    marker,
    toolAnswer: { apiKey: key.text, token: token.text, note: marker },
    planted: (visit) => ({
      type: 'planted',
      places: ["member apiKey of the tool's answer", "member token of the tool's answer"].map((place, index) => ({
        canary: index + 1,
        place: `${place}, said again in the error`,
        arrived: visit.calls().some(({ kind, answer }) => kind === 'effect' && answer !== null),
        beside: true,
      })),
      request: JSON.stringify([key.text, token.text]),
      exchanges: [],
    }),
  };
}
