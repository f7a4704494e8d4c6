-- CreateEnum
CREATE TYPE "SuspensionActor" AS ENUM ('owner', 'parent', 'reseller', 'administrator');

-- AlterTable
ALTER TABLE "sites" ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_seen_host" TEXT,
ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_by" "SuspensionActor";

-- Every statement that suspends or activates a site changes these columns. A new reason starts a new suspension.
CREATE FUNCTION date_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.is_active THEN
    NEW.suspended_at := NULL;
    NEW.suspended_by := NULL;
  ELSIF TG_OP = 'INSERT' THEN
    NEW.suspended_at := coalesce(NEW.suspended_at, now());
  ELSE
    NEW.suspended_at := now();
    -- A statement that does not name an account must not keep the one of the suspension before.
    IF NEW.suspended_by IS NOT DISTINCT FROM OLD.suspended_by THEN
      NEW.suspended_by := NULL;
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "sites_suspend_new" BEFORE INSERT ON "sites"
  FOR EACH ROW WHEN (NOT NEW.is_active) EXECUTE FUNCTION date_suspension();
CREATE TRIGGER "sites_suspend" BEFORE UPDATE OF "is_active", "suspended_reason" ON "sites"
  FOR EACH ROW WHEN (NEW.is_active <> OLD.is_active OR NEW.suspended_reason IS DISTINCT FROM OLD.suspended_reason)
  EXECUTE FUNCTION date_suspension();
