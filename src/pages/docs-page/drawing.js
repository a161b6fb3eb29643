/** Keeps Swagger UI from redrawing every operation at each click and key. */
export const drawing = () => ({
  wrapComponents: {
    OperationContainer: drawClosedOnce,
    authorizeOperationBtn: ignoreState,
    CopyToClipboardBtn: ignoreState,
    JumpToPath: ignoreState,
    Markdown: ignoreState,
    LockAuthOperationIcon: useIcon('LockIcon'),
    UnlockAuthOperationIcon: useIcon('UnlockIcon'),
  },
});

/** A closed operation shows only its line. */
function drawClosedOnce(OperationContainer) {
  return class extends OperationContainer {
    shouldComponentUpdate(next) {
      const { isShown, isAuthorized, op } = this.props;
      return isShown || next.isShown || next.isAuthorized !== isAuthorized || !next.op.equals(op);
    }
  };
}

/** Swagger UI hands these the state of the whole page, which they do not read. */
function ignoreState(Component, { React: { createElement } }) {
  function Stateless(props) {
    return createElement(Component, props);
  }
  Stateless.prototype.mapStateToProps = () => ({});
  return Stateless;
}

function useIcon(name) {
  return (_Icon, system) =>
    ignoreState(
      ({ className, getComponent }) => system.React.createElement(getComponent(name), { className }),
      system,
    );
}
