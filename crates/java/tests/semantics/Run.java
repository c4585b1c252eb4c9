import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Prints what every static method without parameters that returns a long gives; private ones are helpers. */
public class Run {
    public static void main(String[] classes) throws Exception {
        for (String name : classes) {
            for (Method method : Class.forName(name).getDeclaredMethods()) {
                boolean wanted = Modifier.isStatic(method.getModifiers()) && method.getReturnType() == long.class;
                if (!wanted || method.getParameterCount() != 0 || Modifier.isPrivate(method.getModifiers()) || method.isSynthetic()) continue;
                method.setAccessible(true);
                String result;
                try {
                    result = method.invoke(null).toString();
                } catch (InvocationTargetException e) {
                    result = e.getCause().getClass().getSimpleName();
                }
                System.out.println(name + "." + method.getName() + " " + result);
            }
        }
    }
}
