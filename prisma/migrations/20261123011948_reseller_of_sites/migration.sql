-- AlterTable
ALTER TABLE "sites" ADD COLUMN     "reseller_id" INTEGER;

-- A reseller reads the list of thousands of owners' sites in its order.
CREATE FUNCTION reseller_above(account integer) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN u.role = 'reseller' THEN u.id
              WHEN p.role = 'reseller' THEN p.id
              ELSE coalesce(u.reseller_id, p.reseller_id) END
    FROM users u LEFT JOIN users p ON p.id = u.parent_user_id WHERE u.id = account
$$;
UPDATE "sites" SET "reseller_id" = reseller_above("user_id") WHERE reseller_above("user_id") IS NOT NULL;
CREATE INDEX "sites_reseller_id_id_idx" ON "sites"("reseller_id", "id") WHERE "reseller_id" IS NOT NULL AND "deleted_at" IS NULL;

CREATE FUNCTION mark_reseller_of_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reseller_id := reseller_above(NEW.user_id);
  RETURN NEW;
END $$;
CREATE TRIGGER "sites_mark_reseller" BEFORE INSERT OR UPDATE OF "user_id" ON "sites"
  FOR EACH ROW EXECUTE FUNCTION mark_reseller_of_site();

-- Sites of an account that moves, and of its sub-users. Creations hold their owner's row, so that none is missed.
CREATE FUNCTION move_sites_to_reseller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sites SET reseller_id = reseller_above(user_id)
   WHERE user_id IN (SELECT NEW.id UNION ALL SELECT id FROM users WHERE parent_user_id = NEW.id)
     AND reseller_id IS DISTINCT FROM reseller_above(user_id);
  RETURN NULL;
END $$;
CREATE TRIGGER "users_move_sites" AFTER UPDATE OF "role", "reseller_id", "parent_user_id" ON "users"
  FOR EACH ROW WHEN ((OLD.role, OLD.reseller_id, OLD.parent_user_id) IS DISTINCT FROM (NEW.role, NEW.reseller_id, NEW.parent_user_id))
  EXECUTE FUNCTION move_sites_to_reseller();
