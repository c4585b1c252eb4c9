// A bank account with a status. Operations throw when they are refused,
// and the account must be in order all the same.

import glassbox.*;

public class Account {
    enum Status { OPEN, FROZEN, CLOSED }

    static class InsufficientFunds extends Exception {
        private static final long serialVersionUID = 1L;
    }

    Status status = Status.OPEN;
    @Range("0..n") int balance;

    @MayThrow(IllegalStateException.class)
    public void deposit(@Range("1..n") int amount) {
        switch (status) {
            case OPEN:
            case FROZEN:
                balance += amount;
                break;
            default:
                throw new IllegalStateException();
        }
    }

    @MayThrow(IllegalStateException.class)
    public void withdraw(@Range("1..n") int amount) throws InsufficientFunds {
        if (status != Status.OPEN) throw new IllegalStateException();
        if (amount > balance) throw new InsufficientFunds();
        balance -= amount;
    }

    public void freeze() {
        if (status == Status.OPEN) status = Status.FROZEN;
    }

    public int close() {
        int rest = balance;
        balance = 0;
        status = Status.CLOSED;
        return rest;
    }

    @Declarative
    boolean repOk() {
        return status != null && balance >= 0 && (status != Status.CLOSED || balance == 0);
    }

    @Declarative
    @Post("deposit")
    boolean isDeposited(Account before, int amount) {
        return balance == before.balance + amount && status == before.status;
    }

    @Declarative
    @Post("withdraw")
    boolean isWithdrawn(Account before, int amount) {
        return balance == before.balance - amount && status == before.status;
    }

    @Declarative
    @Post("freeze")
    boolean isFrozen(Account before) {
        return balance == before.balance && status != Status.OPEN;
    }

    @Declarative
    @Post("close")
    boolean isPaidOut(Account before, int result) {
        return result == before.balance && status == Status.CLOSED;
    }
}
