/**
 * The currencies of ISO 4217 (List One of the maintenance agency, SIX, as of 2026), by their decimals. Not those of Intl: they
 * follow common usage, which differs for a dozen currencies, such as HUF and COP. Metals, bond units and
 * other codes without decimals in the list, such as XAU and XXX, are left out.
 */
const codes: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
    COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
    NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const decimals = new Map(
  Object.entries(codes).flatMap(([count, list]) => list.split(/\s+/).map((code) => [code, Number(count)])),
);

/** The currency's number of decimals. Undefined for an unknown currency. */
export function decimalsOf(currency: string): number | undefined {
  return decimals.get(currency);
}

/** The codes of all currencies. */
export function currencies(): IterableIterator<string> {
  return decimals.keys();
}

/** Whether a request could have this value: `{"amount": "1.234", "currency": "KWD"}`, but not the same in EUR. */
export function isMoney(value: unknown): value is { amount: string; currency: string } {
  const { amount, currency } = Object(value);
  if (typeof amount !== 'string' || typeof currency !== 'string') return false;
  const [number, fraction = ''] = /^\d{1,15}(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  return number !== undefined && fraction.length <= (decimalsOf(currency) ?? -1);
}

/** The largest number of decimals of any currency. */
export const MAX_DECIMALS = 4;

/** The amount (`1250.5`) in units of its last decimal. It must not have more decimals than these. */
export function toMinor(amount: string, count: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(count, '0'));
}

/** The amount with exactly these decimals: `1250.50`. */
export function toAmount(minor: bigint, count: number): string {
  const digits = String(minor).padStart(count + 1, '0');
  return count === 0 ? digits : `${digits.slice(0, -count)}.${digits.slice(-count)}`;
}

/** The quotient of two numbers that are not negative, rounded half up. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
