/** The numbers are arbitrary, but releases and triggers share them: never change one. */
export const ADVISORY_LOCKS = {
  /** Serialises appending to the consent ledger. */
  consents: 7_355_107,
  /** Serialises adding and removing administrators. */
  administrators: 7_355_108,
  /** Serialises publishing and signing legal texts. */
  signatures: 7_355_109,
  /** Taken with the account id. Serialises sign-ins of an account, so that each counts the others. */
  signIns: 7_355_110,
  /** Serialises changes of settings: one with its default value has no row to lock. */
  settings: 7_355_111,
  /** Serialises the two-factor requirement with account changes; triggers on `users` share it. */
  duties: 7_355_112,
  /** Serialises sealing and pruning the audit log. */
  seals: 7_355_121,
  /** Exclusive during a backup; every removal of a stored file takes it in shared mode. */
  backup: 7_355_122,
  /** Serialises migrations when several servers start. */
  migrations: 7_355_261_803,
} as const;
