// What a program can ask of the rota that runs it. Without one, calls throw an error with the code ERR_ROTA_NOT_ACTIVE.

/** All but `count` are durations in milliseconds. */
export interface Figure {
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

export interface Trace {
  /** The whole path of the file. */
  readonly file: string;
  /** Writes what is left, and ends the file. */
  stop(): void;
}

export interface Stats {
  /** By name, such as `callback`, `poll wait` or `file run`; those that have values. */
  figures: Record<string, Figure>;
  /** Milliseconds that the loop ran, and that it waited. */
  active: number;
  idle: number;
  /** active / (active + idle) */
  utilization: number;
}

/** Writes what the loop does from now on, for `rota timeline` and Perfetto. */
export function trace(options?: { file?: string }): Trace;

export const stats: {
  /** Throws ERR_ROTA_NOT_RECORDING before start(), unless the process was started by `rota stats`. */
  (): Stats;
  start(): void;
  stop(): void;
  reset(): void;
};

/** What keeps the loop alive, as text. */
export function why(): string;

/** A mark in the trace, if one is written. */
export function mark(name: string, value?: number): void;

/** Whether rota runs this process. */
export const isActive: boolean;
/** The version of the rota that does; undefined: none does. */
export const version: string | undefined;

/** In rota's own runtime (`npx rota-loop script.js`): process.rota; in Node there is none. */
export interface ProcessRota {
  start(): void;
  stop(): void;
  reset(): void;
  readonly recording: boolean;
  /** Undefined while nothing was recorded. Throws a RangeError that names those that exist. */
  figure(name: string): Figure | undefined;
  figures(): Record<string, Figure>;
  percentile(name: string, percent: number): number;
  utilization(): { idle: number; active: number; utilization: number };
  alive(): string;
  /** Advances virtual time; throws a RangeError without --virtual-time. */
  advance(milliseconds: number): void;
  mark(name: string, value?: number): void;
}

declare global {
  namespace NodeJS {
    interface Process {
      readonly rota?: ProcessRota;
    }
  }
}
