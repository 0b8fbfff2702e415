// What rota adds to `process`. In Node itself there is no process.rota: ask with `process.rota?.`.

/** Durations in milliseconds; all but `count` are durations. */
export interface RotaFigure {
  count: number;
  min: number;
  max: number;
  mean: number;
  p50: number;
  p75: number;
  p90: number;
  p99: number;
  p999: number;
  sum: number;
}

export interface Rota {
  /** Begins to record statistics of the loop, as --stats does. */
  start(): void;
  stop(): void;
  reset(): void;
  readonly recording: boolean;
  /** One statistic; undefined while nothing was recorded. Throws a RangeError that names those that exist. */
  figure(name: string): RotaFigure | undefined;
  figures(): Record<string, RotaFigure>;
  percentile(name: string, percent: number): number;
  /** The share of the loop's time that was not spent waiting. */
  utilization(): { idle: number; active: number; utilization: number };
  /** What keeps the loop alive, as text. */
  alive(): string;
  /** Advances virtual time; throws a RangeError without --virtual-time. */
  advance(milliseconds: number): void;
  /** A mark in the trace. */
  mark(name: string, value?: number): void;
}

declare global {
  namespace NodeJS {
    interface Process {
      readonly rota?: Rota;
    }
  }
}
