/**
 * Net unit price, in minor units, for which the accounting service computes exactly this gross total; it
 * rounds VAT half up. Undefined if no price gives it, as for 0.03 at 20 per cent.
 */
export function unitPriceOf(grossMinor: number, rate: number): number | undefined {
  const near = Math.floor((grossMinor * 100) / (100 + rate));
  for (const net of [near - 1, near, near + 1]) {
    const vat = Math.floor((2 * net * rate + 100) / 200);
    if (net > 0 && net + vat === grossMinor) return net;
  }
  return undefined;
}
