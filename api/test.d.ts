// Time for tests, which stands still until the test moves it. The process must run with virtual time:
// npx rota-loop run --virtual-time -- node --test

export interface Clock {
  /**
   * Moves time forward from timer to timer. Each runs at its time and in its order, and all that it begins settles before time
   * moves on. Resolves with now(), when no timer of this duration is left and nothing is in progress.
   */
  advance(milliseconds: number): Promise<number>;
  /** advance(0): what is due now, or in progress. */
  settle(): Promise<number>;
  /** Until no timer is left that keeps the process alive. Rejects with ERR_ROTA_ENDLESS after 100,000 steps. */
  runAll(): Promise<number>;
  /** Milliseconds since time has stood still for the first time. */
  now(): number;
  /** Time goes on by itself, and jumps from timer to timer when nothing else can happen. Done after the last test. */
  go(): void;
  /** Time stands still again. */
  stop(): void;
}

export const clock: Clock;
/** The seed of this process's schedule (rota fuzz); undefined: there is none. */
export const seed: number | undefined;
