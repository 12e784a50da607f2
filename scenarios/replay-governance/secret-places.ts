import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import { makeCanary, spellingsIn } from './canary.ts';
import type { Heard } from './listen.ts';

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

/** Where a secret is put, and what shows that it arrived: what the witness received or answered, any answer, or the question. */
type Planting = readonly [place: string, by: 'body' | 'answer' | 'any answer' | 'question'];

/** Makes a secret for each place, and a harmless text beside them. */
function secretsAt<Name extends string>(plantings: Readonly<Record<Name, Planting>>) {
  const places = Object.values<Planting>(plantings);
  const canaries = places.map(() => makeCanary());
  const texts = canaries.map(({ text }) => text);
  const named = Object.keys(plantings).map((name, index) => [name, texts[index]]);
  /** What arrived, by what the witness had and whether the question's answer was taken. */
  const planted = (visit: WitnessVisit, isAnswered = false): PlantedObservation => {
    const arrived = ([, by]: Planting, index: number): boolean => {
      const canary = canaries[index];
      if (by === 'question') return isAnswered;
      if (by === 'any answer') return visit.calls().some(({ kind, answer }) => kind === 'effect' && answer !== null);
      return visit.calls().some((call) => canary && spellingsIn(JSON.stringify(call[by]), canary).length > 0);
    };
    return {
      type: 'planted',
      places: places.map((each, index) => {
        const [place] = each;
        return { canary: index + 1, place, arrived: arrived(each, index), beside: place.includes(BESIDE) };
      }),
      request: JSON.stringify(texts),
      exchanges: [],
    };
  };
  const text = Object.fromEntries(named) as Readonly<Record<Name, string>>;
  return { canaries, marker: `plain-${makeCanary().core}`, text, planted };
}

const BESIDE = "of the tool's answer";

/** Makes the secret of a run that is given nothing but inputs: it counts where the source hides it, and shows what stands beside it. */
export function makeInputSecrets() {
  const [canary, marker] = [makeCanary(), `plain-${makeCanary().core}`];
  const hidden = (shown: readonly Pick<Heard, 'shows' | 'marker'>[]): PlantedObservation => {
    const arrived = shown.some((each) => each.marker) && shown.every(({ shows }) => shows.length === 0);
    const places = [
      { canary: 1, place: INPUT, arrived, beside: true },
      { canary: 2, place: 'what tools, models and people answer', arrived: false, beside: false },
    ];
    return { type: 'planted', places, request: JSON.stringify([canary.text]), exchanges: [] };
  };
  // In the order of their names: what is cut short shows the first.
  return { canaries: [canary], marker, hidden, payload: { password: canary.text, plain: marker } };
}

/** Where that one is. */
export const INPUT = 'run input payload.password';

/** The secrets of one run. */
export type Secrets = ReturnType<typeof makeSecrets>;

/**
 * Makes the secrets of one run, each for one place, so that each shows whether a host redacts there: inputs, what the tool
 * and the model say, and what the question is answered with.
 */
export function makeSecrets() {
  const { text, ...secrets } = secretsAt({
    input: ['run input credentials.apiKey', 'body'],
    repeated: ["run input credentials.token, said again in a text of the tool's answer", 'body'],
    tool: [`member apiKey ${BESIDE}`, 'answer'],
    base64: [`member secret ${BESIDE}, said again in base64`, 'answer'],
    percent: [`member password ${BESIDE}, said again percent-encoded`, 'answer'],
    model: [`member privateKey ${BESIDE}, said again by the model`, 'answer'],
    inText: ["member password of JSON in the model's text", 'answer'],
    resume: ['resumeValue.password', 'question'],
  });
  return {
    ...secrets,
    credentials: { apiKey: text.input, token: text.repeated },
    toolAnswer: {
      apiKey: text.tool,
      secret: text.base64,
      password: text.percent,
      privateKey: text.model,
      repeated: `called with ${text.repeated}, as asked`,
      encoded: Buffer.from(`key=${text.base64};`).toString('base64'),
      link: `https://service.invalid/?key=${encodeURIComponent(text.percent)}`,
      note: secrets.marker,
    },
    modelText: `The key is ${text.model}, keep it. ${JSON.stringify({ password: text.inText })}`,
    resumeValue: { approved: true, comment: 'go on', password: text.resume },
  };
}

/** The secrets of a run whose tool answers them and which then fails with that answer in its message. */
export function makeErrorSecrets() {
  const { text, ...secrets } = secretsAt({
    apiKey: [`member apiKey ${BESIDE}, said again in the error`, 'any answer'],
    token: [`member token ${BESIDE}, said again in the error`, 'any answer'],
  });
  return { ...secrets, toolAnswer: { ...text, note: secrets.marker } };
}
