import glassbox.*;
import java.util.EmptyStackException;
import java.util.Objects;

/**
 * Stack of JDK 17, with the fields of Vector. The invariant: `elementCount` elements at the beginning of `elementData`, and null in the rest
 * of it. Elements are null or Integers. The other operations of Vector have a specification of their own.
 */
@SpecFor("java.util.Stack")
class StackSpec<E> {
    @Range("0..0") int modCount;
    @OneOf(Integer.class) @NonNull @Owned Object[] elementData;
    @Range("0..n") int elementCount;
    @Range("0..2") int capacityIncrement;

    @Check StackSpec() {}
    @Check native E push(@OneOf(Integer.class) E item);
    @Check @MayThrow(EmptyStackException.class) native E pop();
    @Check @MayThrow(EmptyStackException.class) native E peek();
    @Check native boolean empty();
    @Check native int search(@OneOf(Integer.class) Object o);
    @Check native boolean add(@OneOf(Integer.class) E e);
    @Check native boolean removeElement(@OneOf(Integer.class) Object obj);

    @Declarative
    boolean repOk() {
        return 0 <= elementCount && elementCount <= elementData.length
            && GlassBox.forall(elementCount, elementData.length, i -> elementData[i] == null);
    }

    @Declarative
    boolean same(StackSpec<E> before, int from, int to) {
        return GlassBox.forall(from, to, i -> elementData[i] == before.elementData[i]);
    }

    @Declarative
    int firstOf(Object o, int from) {
        return from >= elementCount ? -1 : Objects.equals(o, elementData[from]) ? from : firstOf(o, from + 1);
    }

    @Declarative
    int lastOf(Object o, int from) {
        return from < 0 ? -1 : Objects.equals(o, elementData[from]) ? from : lastOf(o, from - 1);
    }

    @Declarative
    boolean isWith(StackSpec<E> before, int index, Object o) {
        return elementCount == before.elementCount + 1 && same(before, 0, index) && elementData[index] == o
            && GlassBox.forall(index, before.elementCount, i -> elementData[i + 1] == before.elementData[i]);
    }

    @Declarative
    boolean isWithout(StackSpec<E> before, int index) {
        return elementCount == before.elementCount - 1 && same(before, 0, index)
            && GlassBox.forall(index, elementCount, i -> elementData[i] == before.elementData[i + 1]);
    }

    @Post("push") @Declarative
    boolean pushed(StackSpec<E> before, E item, E result) {
        return result == item && isWith(before, before.elementCount, item);
    }

    @Post("add") @Declarative
    boolean added(StackSpec<E> before, E item, boolean result) {
        return result && isWith(before, before.elementCount, item);
    }

    @Post("pop") @Declarative
    boolean popped(StackSpec<E> before, E result) {
        return before.elementCount > 0 && result == before.elementData[elementCount] && isWithout(before, elementCount);
    }

    @Post({"peek", "empty", "search"}) @Declarative
    boolean unchanged(StackSpec<E> before) {
        return elementCount == before.elementCount && same(before, 0, elementCount);
    }

    @Post("peek") @Declarative
    boolean seen(StackSpec<E> before, E result) {
        return elementCount > 0 && result == elementData[elementCount - 1];
    }

    @Post("empty") @Declarative
    boolean asked(StackSpec<E> before, boolean result) {
        return result == (elementCount == 0);
    }

    @Post("search") @Declarative
    boolean found(StackSpec<E> before, Object o, int result) {
        return lastOf(o, elementCount - 1) < 0 ? result == -1 : result == elementCount - lastOf(o, elementCount - 1);
    }

    @Post("removeElement") @Declarative
    boolean removedFirst(StackSpec<E> before, Object o, boolean result) {
        return result ? before.firstOf(o, 0) >= 0 && isWithout(before, before.firstOf(o, 0))
            : before.firstOf(o, 0) < 0 && elementCount == before.elementCount && same(before, 0, elementCount);
    }
}
