/** Returns minor units. The service rounds VAT half up: no price gives 0.03 at 20 per cent, for example. */
export function findUnitPrice(grossMinor: number, vatRate: number): number | undefined {
  const estimate = Math.floor((grossMinor * 100) / (100 + vatRate));
  for (const net of [estimate - 1, estimate, estimate + 1]) {
    const vat = Math.floor((2 * net * vatRate + 100) / 200);
    if (net > 0 && net + vat === grossMinor) return net;
  }
  return undefined;
}
