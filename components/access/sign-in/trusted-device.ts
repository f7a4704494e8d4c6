/** Removes what an earlier release kept here: secrets of trusted devices, which are in a cookie now. */
export function forgetStoredDevices(): void {
  try {
    window.localStorage.removeItem("trusted-devices");
  } catch {
    // Without storage there is nothing to remove.
  }
}
