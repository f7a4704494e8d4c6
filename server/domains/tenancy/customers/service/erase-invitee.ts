import { toEmailKey } from "@/server/core/schema";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockImportsContaining } from "../statements";

interface ReportEntry {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** Deletes invitations of an address, and erases its rows in imports. */
export async function eraseInvitee(tx: Pick<DbAccess, "db" | "sql">, addressKey: string): Promise<void> {
  await tx.db.invitation.deleteMany({ where: { emailKey: addressKey } });
  await tx.db.customerInvitation.deleteMany({ where: { emailKey: addressKey } });
  const isAddress = (address: string | null) => address !== null && toEmailKey(address) === addressKey;
  // A cell can contain several addresses, or a name and an address.
  const containsAddress = (cell: string) =>
    isAddress(cell) || cell.split(/[\s,;:<>()[\]"']+/).some(isAddress);
  for (const { id, rows, report } of await lockImportsContaining(tx, {
    addressStart: addressKey.slice(0, addressKey.lastIndexOf("@") + 1),
  })) {
    const [columns = [], ...lines] = rows as string[][];
    const erasedRows = lines.map((cells) =>
      // The last cell is the row number in the file; keep it.
      cells.some(containsAddress) ? cells.map((cell, index) => (index < columns.length ? "" : cell)) : cells,
    );
    const erasedReport = (report as ReportEntry[]).map((entry) =>
      isAddress(entry.email) ? { ...entry, name: null, email: null, phone: null } : entry,
    );
    await tx.db.customerImport.update({
      where: { id },
      data: { rows: [columns, ...erasedRows], report: erasedReport as object[] },
      select: { id: true },
    });
  }
}
