// Temporal: a look at each of its types.
const shape = (object, key) => {
  const { value, get, ...rest } = Object.getOwnPropertyDescriptor(object, key);
  return [typeof value, ...Object.values(rest)];
};
console.log(shape(Date.prototype, 'toTemporalInstant'), Date.prototype.toTemporalInstant.name);
console.log(Object.getOwnPropertyNames(Temporal), `${Temporal}`, Object.keys(globalThis).includes('Temporal'));
console.log(new Date(1e12).toTemporalInstant().toString());

const tries = {
  date: () => Temporal.PlainDate.from('2024-02-29').add({ years: 1 }),
  dateWith: () => Temporal.PlainDate.from({ year: 2024, month: 1, day: 31 }).with({ month: 2 }),
  reject: () => Temporal.PlainDate.from({ year: 2023, month: 2, day: 30 }, { overflow: 'reject' }),
  until: () => Temporal.PlainDate.from('2020-01-31').until('2024-03-01', { largestUnit: 'years' }),
  since: () => Temporal.PlainDateTime.from('2024-03-10T12:00').since('2024-03-01T13:30', { smallestUnit: 'hours', roundingMode: 'halfExpand' }),
  week: () => { const d = Temporal.PlainDate.from('2021-01-03'); return [d.dayOfWeek, d.weekOfYear, d.yearOfWeek, d.daysInMonth, d.inLeapYear, d.monthCode].join(); },
  time: () => Temporal.PlainTime.from('12:34:56.789').round({ smallestUnit: 'minute', roundingIncrement: 5 }),
  timeAdd: () => Temporal.PlainTime.from('23:30').add({ minutes: 45 }),
  dateTime: () => Temporal.PlainDateTime.from('2024-05-05T05:05:05.123456789').toString({ fractionalSecondDigits: 4 }),
  zoned: () => Temporal.ZonedDateTime.from('2024-03-10T01:30[America/New_York]').add({ hours: 1 }),
  zonedGap: () => Temporal.ZonedDateTime.from('2024-03-10T02:30[America/New_York]'),
  zonedFold: () => Temporal.ZonedDateTime.from({ year: 2024, month: 11, day: 3, hour: 1, minute: 30, timeZone: 'America/New_York' }, { disambiguation: 'later' }),
  hoursInDay: () => Temporal.ZonedDateTime.from('2024-03-31T12:00[Europe/Berlin]').hoursInDay,
  otherZone: () => Temporal.ZonedDateTime.from('2024-06-01T12:00[Europe/Berlin]').withTimeZone('Asia/Tokyo'),
  transition: () => Temporal.ZonedDateTime.from('2024-06-01T12:00[Europe/Berlin]').getTimeZoneTransition('next'),
  instant: () => Temporal.Instant.from('2024-01-01T00:00:00.000000001Z').epochNanoseconds,
  instantUntil: () => Temporal.Instant.fromEpochMilliseconds(0).until(Temporal.Instant.fromEpochMilliseconds(90061001), { largestUnit: 'hours' }),
  duration: () => Temporal.Duration.from('P1Y2M3DT4H5M6.789S'),
  durationRound: () => Temporal.Duration.from({ hours: 50, minutes: 31 }).round({ largestUnit: 'days', smallestUnit: 'hours' }),
  durationTotal: () => Temporal.Duration.from({ hours: 36 }).total('days'),
  durationBalance: () => Temporal.Duration.from({ months: 14 }).round({ largestUnit: 'years', relativeTo: '2024-01-01' }),
  durationSign: () => { const d = Temporal.Duration.from('-PT5M'); return [d.sign, d.abs(), d.negated(), d.blank].join(); },
  mixedSigns: () => new Temporal.Duration(1, -1),
  yearMonth: () => Temporal.PlainYearMonth.from('2024-02').add({ months: 13 }),
  monthDay: () => Temporal.PlainMonthDay.from('02-29').toPlainDate({ year: 2023 }),
  compare: () => ['2024-03-01', '2023-01-01', '2024-02-01'].map((d) => Temporal.PlainDate.from(d)).sort(Temporal.PlainDate.compare).join(),
  equals: () => Temporal.PlainDate.from('2024-03-01').equals('2024-03-01'),
  valueOf: () => Temporal.PlainDate.from('2024-03-01') < 5,
  noNew: () => Temporal.PlainDate(2024, 1, 1),
  json: () => JSON.stringify({ at: Temporal.Instant.fromEpochMilliseconds(5), long: Temporal.Duration.from({ seconds: 90 }) }),
  hebrew: () => Temporal.PlainDate.from('2024-10-03').withCalendar('hebrew').year,
  japanese: () => { const d = Temporal.PlainDate.from('2019-05-01').withCalendar('japanese'); return `${d.era} ${d.eraYear} ${d}`; },
  islamic: () => Temporal.PlainDate.from('2024-01-01[u-ca=islamic-civil]').toString(),
  badText: () => Temporal.PlainDate.from('yesterday'),
  badZone: () => Temporal.Now.zonedDateTimeISO('Nowhere/Land'),
  bounds: () => Temporal.PlainDate.from('+275760-09-14'),
  brand: () => Object.prototype.toString.call(Temporal.PlainTime.from('10:00')),
  now: () => [typeof Temporal.Now.instant().epochMilliseconds, Temporal.Now.plainDateISO() instanceof Temporal.PlainDate, Math.abs(Temporal.Now.instant().epochMilliseconds - Date.now()) < 1000].join(),
  locale: () => Temporal.PlainDate.from('2024-03-01').toLocaleString('en-US', { dateStyle: 'long' }),
  format: () => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' }).format(Temporal.Instant.fromEpochMilliseconds(0)),
};
for (const [name, run] of Object.entries(tries)) {
  let shown;
  try {
    shown = `${run()}`;
  } catch (error) {
    shown = error.name;
  }
  console.log(name, shown);
}
console.log(Temporal.PlainDate.from('2020-01-01'), [Temporal.Duration.from('PT1S')]);
