/** Removes secrets of trusted devices that an earlier release stored here; they are in a cookie now. */
export function removeLegacyTrustedDevices(): void {
  try {
    window.localStorage.removeItem("trusted-devices");
  } catch {}
}
